// The table as a picture file, drawn here: to be shared or saved.

const WIDE = 1400;
const EDGE = 40;
const HEAD = 130;
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-opacity", "opacity", "font-weight", "font-family"];

/** The same drawing without the page's style sheets: every look as an attribute. */
function alone(drawing, width, height) {
  const copy = drawing.cloneNode(true);
  const copies = [...copy.querySelectorAll("*")];
  [...drawing.querySelectorAll("*")].forEach((node, at) => {
    const style = getComputedStyle(node);
    for (const look of LOOKS) copies[at].setAttribute(look, style.getPropertyValue(look));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return copy;
}

async function imageOf(drawing, width, height) {
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(alone(drawing, width, height))], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Shares the drawings in `place` as one picture with two lines above, or saves it; whether that could be done. */
export async function givePicture(place, title, words) {
  try {
    const drawings = [...place.querySelectorAll("svg.scene")];
    const width = (WIDE - EDGE * (drawings.length + 1)) / drawings.length;
    const heights = drawings.map(({ viewBox: { baseVal: box } }) => (width * box.height) / box.width);
    const canvas = document.createElement("canvas");
    canvas.width = WIDE;
    canvas.height = HEAD + Math.max(...heights) + EDGE;
    const paper = canvas.getContext("2d");
    const look = getComputedStyle(document.body);
    paper.fillStyle = getComputedStyle(place.querySelector(".board")).backgroundColor;
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.fillStyle = look.color;
    paper.font = `650 40px ${look.fontFamily}`;
    paper.fillText(title, EDGE, 65, WIDE - 2 * EDGE);
    paper.font = `400 30px ${look.fontFamily}`;
    paper.fillText(words, EDGE, 112, WIDE - 2 * EDGE);
    for (const [at, drawing] of drawings.entries()) {
      paper.drawImage(await imageOf(drawing, width, heights[at]), EDGE + at * (width + EDGE), HEAD, width, heights[at]);
    }
    const file = new File([await new Promise((done) => canvas.toBlob(done))], "kibitz.png", { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title });
    else save(file);
    return true;
  } catch (problem) {
    return problem.name === "AbortError";
  }
}

function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
