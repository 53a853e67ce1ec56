import { z } from 'zod'
import type { AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import type { Resource, Verb } from '../contract/kernel/define-resource.ts'
import { sampleOf } from './samples.ts'

type Row = Record<string, unknown>
type Outcome = { results: unknown } | { failure: 'NOT_FOUND' | 'CONFLICT' }

/** The rows of an answer, so that they can be changed in place; undefined if it is one record. */
export function rowsOf(endpoint: AnyEndpoint, results: unknown): Row[] | undefined {
  if (Array.isArray(results)) return results as Row[]
  const paged = (results as { Rows?: Row[] } | null)?.Rows
  return paged ?? (endpoint.rows?.(results) as Row[] | undefined)
}

/**
 * Records that this tab created, changed and deleted, of all resources alike. Only keys, versions and fields are checked here: other
 * rules of a record, beyond its schema, are the gateway's.
 */
export function createStore() {
  const edits = new Map<string, Map<string, Row | 'removed'>>()
  const editsOf = (name: string) => {
    const editsOfResource = edits.get(name) ?? new Map<string, Row | 'removed'>()
    edits.set(name, editsOfResource)
    return editsOfResource
  }
  const keyOf = ({ key }: Resource, row: Row) => JSON.stringify(key.map((field) => row[field]))
  let serial = 1_000

  return {
    merge(resource: Resource, endpoint: AnyEndpoint, input: Row, results: unknown): Outcome {
      const editsOfResource = editsOf(resource.name)
      const rows = rowsOf(endpoint, results)
      if (!rows) {
        const asked = Object.fromEntries(resource.key.map((field) => [field, input[field]]))
        const edit =
          editsOfResource.get(keyOf(resource, asked)) ?? editsOfResource.get(keyOf(resource, results as Row))
        return edit === 'removed' ? { failure: 'NOT_FOUND' } : { results: { ...(results as Row), ...edit } }
      }
      const blank = rows[0] ? emptied(rows[0]) : rowSampleOf(endpoint)
      const seen = new Set<string>()
      const merged = rows.flatMap((row) => {
        const key = keyOf(resource, row)
        seen.add(key)
        const edit = editsOfResource.get(key)
        return edit === 'removed' ? [] : [{ ...row, ...edit }]
      })
      for (const [key, edit] of editsOfResource)
        if (edit !== 'removed' && !seen.has(key) && belongs(edit, input))
          merged.unshift({ ...blank, ...edit })
      rows.splice(0, rows.length, ...merged)
      const page = results as { Total?: number }
      if (!Array.isArray(results) && typeof page.Total === 'number')
        page.Total = Math.max(page.Total, rows.length)
      return { results }
    },

    /** Creates, changes or deletes a record. `there` is the recorded one. */
    change(
      resource: Resource,
      verb: Verb,
      endpoint: AnyEndpoint,
      input: Row,
      there: Row | undefined,
    ): Outcome {
      const editsOfResource = editsOf(resource.name)
      if (verb === 'create') {
        const row: Row = {
          ...(sampleOf(resource.record, ++serial) as Row),
          ...(sampleOf(endpoint.results, serial) as Row),
          ...input,
        }
        if (editsOfResource.has(keyOf(resource, row))) return { failure: 'CONFLICT' }
        editsOfResource.set(keyOf(resource, row), row)
        return { results: row }
      }
      const key = keyOf(resource, input)
      const edit = editsOfResource.get(key)
      const row = edit ?? there
      if (!row || row === 'removed') return { failure: 'NOT_FOUND' }
      if (verb === 'remove') {
        editsOfResource.set(key, 'removed')
        return { results: { ...row, ...input } }
      }
      const version = row['Version']
      if (input['Version'] !== undefined && input['Version'] !== version) return { failure: 'CONFLICT' }
      const changed = { ...row, ...input, ...(typeof version === 'number' && { Version: version + 1 }) }
      editsOfResource.set(key, changed)
      return { results: changed }
    },
  }
}

/** Fields of a list's row beyond those of the record, for a new record: from the schema, or from another row. */
function rowSampleOf({ results }: AnyEndpoint): Row {
  const paged = results instanceof z.ZodObject ? (results.shape as Record<string, unknown>)['Rows'] : results
  return paged instanceof z.ZodArray ? (sampleOf(paged.element as z.ZodType) as Row) : {}
}
const emptied = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? [] : value]))

/** Whether a record matches the input: no field that both have differs. */
const belongs = (row: Row, input: Row): boolean =>
  Object.entries(input).every(
    ([name, value]) => value == null || row[name] === undefined || row[name] === value,
  )
