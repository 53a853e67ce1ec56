/** Hands a text to the browser as a file of this name. */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun; browsers keep what it needs.
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
