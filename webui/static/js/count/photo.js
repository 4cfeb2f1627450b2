// Gets a photo ready in the browser: turned upright, made smaller where it is huge, and a copy to look at.

const LARGEST_PIXELS = 12_500_000; // more does not help the reader, but takes long over Wi-Fi
const LARGEST_BYTES = 12_000_000;
const VIEW_SIDE = 2048;
const SENT_AS_IT_IS = ["image/jpeg", "image/png", "image/webp"];

/**
 * The photo to send and the picture to show: { upload, view }.
 * `view` is { image, url, width, height }, or null where this browser cannot open the file (the reader may).
 */
export async function preparePhoto(file) {
  const image = await openImage(file);
  if (!image) return { upload: file, view: null };
  const { naturalWidth: width, naturalHeight: height } = image;
  const huge = width * height > LARGEST_PIXELS || file.size > LARGEST_BYTES;
  const factor = Math.min(1, Math.sqrt(LARGEST_PIXELS / (width * height)));
  const upload = huge || !SENT_AS_IT_IS.includes(file.type) ? ((await asJpeg(image, factor, 0.93)) ?? file) : file;
  const viewBlob = await asJpeg(image, Math.min(1, VIEW_SIDE / Math.max(width, height)), 0.9);
  URL.revokeObjectURL(image.src);
  const view = viewBlob && (await openImage(viewBlob));
  return { upload, view: view && { image: view, url: view.src, width: view.naturalWidth, height: view.naturalHeight } };
}

async function openImage(blob) {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
    return image;
  } catch {
    URL.revokeObjectURL(image.src);
    return null;
  }
}

function asJpeg(image, factor, quality) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.naturalWidth * factor));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * factor));
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#808080"; // shines through see-through pictures, as on the reading side
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}
