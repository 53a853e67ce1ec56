/** Downloads a text as a file of this name. */
export function saveFile(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }))
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun; the browser keeps its data.
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
