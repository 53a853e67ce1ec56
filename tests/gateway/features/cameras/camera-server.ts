import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** HLS camera on a real socket, with responses set by each test. */
export interface CameraServer {
  url: string
  /** Received requests, oldest first. */
  asked: { path: string; authorization: string | undefined }[]
  answer(path: string, how: Answer): void
  close(): Promise<void>
}

/** Responds with a playlist or a part, as a camera does. */
export const sends =
  (contentType: string, body: string | Uint8Array): Answer =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': contentType }).end(body)

export async function startCameraServer(): Promise<CameraServer> {
  const answers = new Map<string, Answer>()
  const asked: CameraServer['asked'] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization })
    const answer = answers.get(request.url ?? '')
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (path, how) => void answers.set(path, how),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
