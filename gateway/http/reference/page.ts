import { channels, endpoints } from '../../../contract/index.ts'
import type { AnyChannel } from '../../../contract/kernel/define-channel.ts'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { ERRORS, type ErrorCode } from '../../../contract/kernel/errors.ts'
import { escapeHtml } from '../../lib/escape-html.ts'
import { accessText, aliasText, callAccessText, errorsOf } from './openapi.ts'
import { type JsonSchema, jsonSchemaOf } from './schema.ts'

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
  `<h4>${title}</h4><pre>${escapeHtml(shapeOf(schema))}</pre>`

const paragraph = (text: string) => (text ? `<p>${escapeHtml(text)}</p>` : '')

function callSection(endpoint: AnyEndpoint): string {
  const errors = errorsOf(endpoint).map((name) => `<code>${ERRORS[name].code} ${name}</code>`)
  return `<section id="${endpoint.path.slice(1)}"><h3>${endpoint.method} ${escapeHtml(endpoint.path)}</h3>
<p>${escapeHtml(endpoint.summary)}</p>
<p class="access">${escapeHtml(callAccessText(endpoint))}${endpoint.mutates ? ' · takes a RequestID' : ''}</p>
${endpoint.method === 'GET' ? '' : block('Request', jsonSchemaOf(endpoint.input, 'input'))}${paragraph(aliasText(endpoint))}
${block('Results', jsonSchemaOf(endpoint.results, 'output'))}
<p class="errors">${errors.join(' ')}</p></section>`
}

function topicSection([name, channel]: [string, AnyChannel]): string {
  const parties = (list: readonly string[]) => list.join(', ') || 'gateway'
  return `<section id="topic-${name}"><h3>${escapeHtml(channel.template)}</h3>
<p>${escapeHtml(channel.summary)}</p>
<p class="access">${parties(channel.publishers)} → ${parties(channel.subscribers)} · QoS ${channel.qos} · ${escapeHtml(accessText(channel.access))}</p>
${block('Payload', jsonSchemaOf(channel.payload, 'input'))}</section>`
}

/** Reference of all calls and topics as one page without scripts, generated from the contract. */
export function createReferencePage(version: string): string {
  const calls = endpoints.toSorted((a, b) => a.path.localeCompare(b.path, 'en'))
  const topics = Object.entries(channels) as [string, AnyChannel][]
  const codes = (Object.keys(ERRORS) as ErrorCode[]).map(
    (name) => `<tr><td>${ERRORS[name].code}</td><td>${name}</td><td>${ERRORS[name].http}</td></tr>`,
  )
  const link = (id: string, text: string) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gateway reference</title><style>${STYLE}</style></head><body>
<nav><h2>Calls</h2><ul>${calls.map(({ path }) => link(path.slice(1), path)).join('')}</ul>
<h2>Topics</h2><ul>${topics.map(([name]) => link(`topic-${name}`, name)).join('')}</ul></nav>
<main><h1>Gateway reference <small>${escapeHtml(version)}</small></h1>
<p>Calls are <code>POST</code> with <code>Authorization: Bearer &lt;id token&gt;</code> and JSON; the answer is
<code>{ status: { code, error?, fields?, missing?, requestId? }, results? }</code>. Code 0 is success. Machines read
<a href="/openapi.json">openapi.json</a> and <a href="/asyncapi.json">asyncapi.json</a>.</p>
<table><thead><tr><th>code</th><th>name</th><th>HTTP</th></tr></thead><tbody><tr><td>0</td><td>OK</td><td>200</td></tr>${codes.join('')}</tbody></table>
<h2>Calls</h2>${calls.map(callSection).join('\n')}
<h2>Topics</h2>${topics.map(topicSection).join('\n')}
</main></body></html>
`
}

const STYLE = `:root{color-scheme:light dark;--line:#8884}body{margin:0;font:15px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);box-sizing:border-box;font-size:13px}nav ul{list-style:none;margin:0;padding:0}
nav h2{font-size:1rem}main{padding:1rem 2rem;max-width:60rem}h1 small{font-weight:400;opacity:.6}section{border-top:1px solid var(--line);padding:.5rem 0 1rem}
h3{font-family:ui-monospace,monospace;overflow-wrap:anywhere}h4{margin:.6rem 0 .2rem}pre{margin:0;padding:.6rem .8rem;background:#8881;border-radius:6px;overflow:auto}
.access{opacity:.75}.errors code{margin-right:.8em;font-size:12px}table{border-collapse:collapse}td,th{padding:.2rem .8rem;border:1px solid var(--line);text-align:left}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;max-height:40vh;border-right:0;border-bottom:1px solid var(--line)}main{padding:1rem}}`
