/** How an upload ended: taken, or why not, by the gateway's status code when it said one. */
export type UploadOutcome = { ok: true } | { ok: false; code: number | undefined }

/** Puts a file at an upload address and tells how much of it has gone, in percent. */
export function uploadFile(
  url: string,
  file: Blob,
  onProgress: (percent: number) => void,
): Promise<UploadOutcome> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(Math.floor((loaded / total) * 100)),
    )
    request.addEventListener('loadend', () =>
      resolve(request.status === 200 ? { ok: true } : { ok: false, code: codeIn(request) }),
    )
    request.send(file)
  })
}

function codeIn({ responseText }: XMLHttpRequest): number | undefined {
  try {
    return (JSON.parse(responseText) as { status?: { code?: number } }).status?.code
  } catch {
    return undefined
  }
}
