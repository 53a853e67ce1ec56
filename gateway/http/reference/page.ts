import { channels } from '../../../contract/index.ts'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import type { AnyChannel } from '../../../contract/kernel/define-channel.ts'
import { ERRORS, type ErrorCode } from '../../../contract/kernel/errors.ts'
import { escapeHtml } from '../../lib/escape-html.ts'
import { accessText, callGroups, type JsonSchema, jsonSchemaOf } from './openapi.ts'

/** Formats a JSON Schema like a TypeScript type. */
function shapeOf(schema: JsonSchema, indent = ''): string {
  const inner = `${indent}  `
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((each) => JSON.stringify(each)).join(' | ')
  const anyOf = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined
  if (anyOf) return anyOf.map((each) => shapeOf(each, indent)).join(' | ')
  if (schema['type'] === 'array') {
    const items = shapeOf((schema['items'] ?? {}) as JsonSchema, indent)
    return items.includes(' | ') && !items.includes('\n') ? `(${items})[]` : `${items}[]`
  }
  if (schema['type'] === 'object') return objectShape(schema, indent, inner)
  if (schema['type'] === undefined) return 'anything'
  return `${String(schema['type'])}${limitsOf(schema)}`
}

function objectShape(schema: JsonSchema, indent: string, inner: string): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  if (!properties.length) return schema['additionalProperties'] === false ? '{}' : '{ … }'
  const required = new Set((schema['required'] ?? []) as string[])
  const lines = properties.map(
    ([name, property]) => `${inner}${name}${required.has(name) ? '' : '?'}: ${shapeOf(property, inner)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

function limitsOf(schema: JsonSchema): string {
  const from = schema['minimum'] ?? schema['minLength']
  const to = schema['maximum'] ?? schema['maxLength']
  const withoutDefaultLimit = (value: unknown) =>
    Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value
  const range =
    withoutDefaultLimit(from) === undefined && withoutDefaultLimit(to) === undefined
      ? ''
      : ` ${withoutDefaultLimit(from) ?? ''}…${withoutDefaultLimit(to) ?? ''}`
  return schema['format'] && range === '' ? ` (${String(schema['format'])})` : range
}

const block = (title: string, schema: JsonSchema) =>
  `<h4>${title}</h4><pre class="shape">${escapeHtml(shapeOf(schema))}</pre>`

function topicSection([name, channel]: [string, AnyChannel]): string {
  const parties = (list: readonly string[]) => list.join(', ') || 'gateway'
  return `<section id="topic-${name}"><h3>${escapeHtml(channel.template)}</h3>
<p>${escapeHtml(channel.summary)}</p>
<p class="access">${parties(channel.publishers)} → ${parties(channel.subscribers)} · QoS ${channel.qos} · ${escapeHtml(accessText(channel.access))}</p>
${block('Payload', jsonSchemaOf(channel.payload, 'input'))}</section>`
}

const groupSection = ([name, calls]: [string, readonly AnyEndpoint[]]): string =>
  `<section id="${name}"><h3><a href="${addressOf(name)}">${name}</a></h3><dl>${calls
    .map(
      ({ path, summary }) =>
        `<dt><a href="${addressOf(name)}#/${name}/${path.slice(1)}">${escapeHtml(path)}</a></dt><dd>${escapeHtml(summary)}</dd>`,
    )
    .join('')}</dl></section>`
const addressOf = (group: string): string => `/reference?group=${group}`

/** Page of one group of calls. Swagger UI shows them; its files are part of the built pages (`scripts/api-viewer.ts`). */
const groupPage = (group: string): string => `<p><a href="/reference">All calls and topics</a></p>
<div id="calls" data-description="/openapi.json?group=${group}"></div>
<script src="/api-viewer/swagger-ui-bundle.js"></script><script src="/api-viewer/start.js"></script>`

function overviewPage(): string {
  const topics = Object.entries(channels) as [string, AnyChannel][]
  const codes = (Object.keys(ERRORS) as ErrorCode[]).map(
    (name) => `<tr><td>${ERRORS[name].code}</td><td>${name}</td><td>${ERRORS[name].http}</td></tr>`,
  )
  return `<p>Calls are <code>POST</code> with <code>Authorization: Bearer &lt;id token&gt;</code> and JSON; the answer is
<code>{ status: { code, error?, fields?, missing?, requestId? }, results? }</code>. Code 0 is success. Machines read
<a href="/openapi.json">openapi.json</a> and <a href="/asyncapi.json">asyncapi.json</a>.</p>
<table class="codes"><thead><tr><th>code</th><th>name</th><th>HTTP</th></tr></thead><tbody><tr><td>0</td><td>OK</td><td>200</td></tr>${codes.join('')}</tbody></table>
<h2>Calls</h2>${[...callGroups].map(groupSection).join('\n')}
<h2>Topics</h2>${topics.map(topicSection).join('\n')}`
}

/**
 * Reference of all calls and topics, generated from the contract.
 *
 * group  shows the calls of one group in detail
 */
export const createReferencePage = (version: string, group?: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gateway reference</title><link rel="stylesheet" href="/api-viewer/swagger-ui.css"><style>${STYLE}</style></head><body>
<h1>Gateway reference <small>${escapeHtml(version)}</small></h1>
${group === undefined ? overviewPage() : groupPage(group)}
</body></html>
`

const STYLE = `body{margin:0 auto;padding:1rem;max-width:80rem;background:#fff;color:#222;font:15px/1.55 system-ui,sans-serif}h1 small{font-weight:400;opacity:.6}
section{border-top:1px solid #8884;padding:.5rem 0 1rem}h3{font-family:ui-monospace,monospace;overflow-wrap:anywhere}h4{margin:.6rem 0 .2rem}
dl{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,5fr);gap:.25rem 1rem;margin:0}dt,dd{margin:0;overflow-wrap:anywhere}dt{font-family:ui-monospace,monospace}
pre.shape{margin:0;padding:.6rem .8rem;background:#8881;border-radius:6px;overflow:auto}.access{opacity:.75}
.codes{border-collapse:collapse}.codes td,.codes th{padding:.2rem .8rem;border:1px solid #8884;text-align:left}`
