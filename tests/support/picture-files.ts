/** First bytes of files by kind. */
const BEGINNINGS: Readonly<Record<string, readonly number[]>> = {
  'image/jpeg': [0xff, 0xd8, 0xff, 0xe0],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/webp': [...Buffer.from('RIFF\0\0\0\0WEBP')],
  'image/gif': [...Buffer.from('GIF89a')],
  'image/svg+xml': [...Buffer.from('<svg onload="alert(1)">')],
  'application/pdf': [...Buffer.from('%PDF-1.7')],
  '': [],
}

/** File that begins like one of this kind and is declared as `mimeType`, from which the browser derives its type. */
export const pictureFile = (kind: string, mimeType = kind): File =>
  new File([Uint8Array.from(BEGINNINGS[kind] ?? [])], 'picture', { type: mimeType })
