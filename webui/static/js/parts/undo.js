// Undo and redo on a keyboard.

/** Ctrl+Z and Ctrl+Shift+Z (Command on a Mac) while this view is shown and nobody is typing. */
export function wireUndo(root, { undo, redo }) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (root.hidden || typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (event.shiftKey) redo();
    else undo();
  });
}
