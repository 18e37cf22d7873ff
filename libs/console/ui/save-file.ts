/** Downloads a file through the browser. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by the end of the click.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
