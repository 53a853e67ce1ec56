import { Counter, type Metric, type Registry } from 'prom-client'

export interface CallMetrics {
  /** Recorder for one call: status.code and milliseconds. */
  startTimer(path: string): (code: number, milliseconds: number) => void
}

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const DURATION = 'gateway_call_duration_seconds'

/** Number of observations by bucket; the last one is above all bounds. */
interface DurationHistogram {
  counts: number[]
  sum: number
}

/**
 * Duration by call, and count by call and status.code.
 *
 * The library's histogram looks up its labels at every observation, which costs as much as parsing the request, so the buckets are
 * counted here and converted to samples on scrape.
 */
export function createCallMetrics(registry: Registry): CallMetrics {
  const durations = new Map<string, DurationHistogram>()
  const answers = new Map<string, number[]>()
  registry.registerMetric({
    name: DURATION,
    get: async () => ({
      name: DURATION,
      help: 'Time from a parsed request to its answer, by call',
      type: 'histogram',
      aggregator: 'sum',
      values: [...durations].flatMap(([path, histogram]) => samplesOf(path, histogram)),
    }),
  } as unknown as Metric)
  const total = new Counter({
    name: 'gateway_call_answers_total',
    help: 'Answers by call and status.code',
    labelNames: ['path', 'code'],
    registers: [registry],
    collect() {
      total.reset()
      for (const [path, codes] of answers)
        for (const [code, count] of codes.entries()) if (count) total.inc({ path, code: String(code) }, count)
    },
  })

  return {
    startTimer(path) {
      const duration: DurationHistogram = { counts: BUCKETS.map(() => 0).concat(0), sum: 0 }
      const codes: number[] = Array.from({ length: 10 }, () => 0)
      durations.set(path, duration)
      answers.set(path, codes)
      return (code, milliseconds) => {
        const seconds = milliseconds / 1000
        let bucket = 0
        while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket++
        duration.counts[bucket] = (duration.counts[bucket] as number) + 1
        duration.sum += seconds
        codes[code] = (codes[code] as number) + 1
      }
    },
  }
}

/** Samples of a histogram, with cumulative buckets. */
function samplesOf(path: string, { counts, sum }: DurationHistogram) {
  let count = 0
  const samples = [...BUCKETS, '+Inf'].map((le, i) => {
    count += counts[i] as number
    return { metricName: `${DURATION}_bucket`, labels: { path, le }, value: count }
  })
  return [
    ...samples,
    { metricName: `${DURATION}_sum`, labels: { path }, value: sum },
    { metricName: `${DURATION}_count`, labels: { path }, value: count },
  ]
}
