import { describe, expect, it } from 'vitest'
import {
  type ExportChunk,
  createExportRun,
  ExportStopped,
  type ExportRunOptions,
} from '../../../../src/lib/export/run-export.ts'

const pages: ExportChunk[] = [
  { meters: [0], from: 0, to: 100 },
  { meters: [1], from: 0, to: 100 },
]
const rows = (...values: number[]) => Float64Array.from(values)

function start(more: Partial<ExportRunOptions>) {
  const written: [number, number[]][] = []
  const percents: number[] = []
  const waits: number[] = []
  const run = createExportRun({
    pages,
    fetchPage: async (page) => ({
      rows: page.meters.map((meter) => ({ meter, rows: rows(meter) })),
      count: 1,
      next: null,
    }),
    writer: {
      add: async (meter, some) => void written.push([meter, [...some]]),
      end: async () => ({ name: 'x.csv', blob: new Blob() }),
    },
    onProgress: ({ percent }) => void percents.push(percent),
    mayRetry: () => true,
    wait: async (ms) => void waits.push(ms),
    ...more,
  })
  return { run, written, percents, waits }
}

describe('an export', () => {
  it('retries a page that failed temporarily, with increasing delay', async () => {
    let failures = 3
    const { run, written, waits } = start({
      fetchPage: async (page) => {
        if (page.meters[0] === 1 && failures-- > 0) throw new Error('away')
        return { rows: [{ meter: page.meters[0] ?? 0, rows: rows(1) }], count: 1, next: null }
      },
    })
    expect((await run.resume()).name).toBe('x.csv')
    expect(waits).toEqual([1000, 2000, 4000])
    expect(written.map(([meter]) => meter)).toEqual([0, 1])
  })

  it('says which part is missing if it cannot continue, and resumes there', async () => {
    let broken = true
    const { run, written } = start({
      fetchPage: async (page, cursor) => {
        if (page.meters[0] === 1 && cursor === 40 && broken) throw new Error('away')
        const next = cursor === null ? 40 : null
        return { rows: [{ meter: page.meters[0] ?? 0, rows: rows(cursor ?? 0) }], count: 1, next }
      },
    })
    const error = await run.resume().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ExportStopped)
    expect(error).toMatchObject({ page: { meters: [1] }, from: 40 })
    broken = false
    await run.resume()
    expect(written).toEqual([
      [0, [0]],
      [0, [40]],
      [1, [0]],
      [1, [40]],
    ])
  })

  it('reports progress within a page too', async () => {
    const { run, percents } = start({
      fetchPage: async (_, cursor) => ({ rows: [], count: 0, next: cursor === null ? 50 : null }),
    })
    await run.resume()
    expect(percents).toEqual([25, 50, 75, 100])
  })
})
