import type { FastifyInstance } from 'fastify'

/** Generators of the documents, called on first use. */
export interface ReferenceOptions {
  /** Names of groups of calls. */
  groups: readonly string[]
  /** Calls of one group, or all. */
  openApi(group: string | undefined): object
  asyncApi(): object
  page(group: string | undefined): string
}

/** Serves /openapi.json, /asyncapi.json and the readable /reference; `?group=` limits the first and last to a group of calls. */
export function serveReference(app: FastifyInstance, options: ReferenceOptions): void {
  const serve = (url: string, type: string, createText: (group: string | undefined) => string) => {
    const texts = new Map<string, string>()
    app.get<{ Querystring: { group?: string } }>(url, async ({ query }, reply) => {
      const { group } = query
      if (group !== undefined && !options.groups.includes(group))
        return reply.code(404).type('text/plain').send(`There is no group of calls named ${group}`)
      const text = texts.get(group ?? '') ?? createText(group)
      texts.set(group ?? '', text)
      return reply.headers({ 'cache-control': 'no-cache', 'content-type': type }).send(text)
    })
  }
  serve('/openapi.json', 'application/json; charset=utf-8', (group) => JSON.stringify(options.openApi(group)))
  serve('/asyncapi.json', 'application/json; charset=utf-8', () => JSON.stringify(options.asyncApi()))
  serve('/reference', 'text/html; charset=utf-8', options.page)
}
