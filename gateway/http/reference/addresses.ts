import type { FastifyInstance } from 'fastify'

/** Generators of the documents, called on first use. */
export interface ReferenceOptions {
  openApi(): object
  asyncApi(): object
  page(): string
}

/** Serves /openapi.json, /asyncapi.json and the readable /reference. */
export function serveReference(app: FastifyInstance, options: ReferenceOptions): void {
  const serve = (url: string, type: string, createText: () => string) => {
    let text: string | undefined
    app.get(url, async (_request, reply) => {
      text ??= createText()
      return reply.headers({ 'cache-control': 'no-cache', 'content-type': type }).send(text)
    })
  }
  serve('/openapi.json', 'application/json; charset=utf-8', () => JSON.stringify(options.openApi()))
  serve('/asyncapi.json', 'application/json; charset=utf-8', () => JSON.stringify(options.asyncApi()))
  serve('/reference', 'text/html; charset=utf-8', options.page)
}
