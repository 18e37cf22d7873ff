/** Hands a file to the browser to save. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it over by the end of the click.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
