import { Counter, Histogram, type Registry } from 'prom-client'

/** Measures calls. */
export interface CallMetrics {
  /** The measure of one call: status.code and milliseconds. */
  of(path: string): (code: number, milliseconds: number) => void
}

/** Duration by call and count by call and status.code, without the per-call cost of looking labels up. */
export function createCallMetrics(registry: Registry): CallMetrics {
  const duration = new Histogram({
    name: 'gateway_call_duration_seconds',
    help: 'Time from a parsed request to its answer, by call',
    labelNames: ['path'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  })
  const answers = new Counter({
    name: 'gateway_call_answers_total',
    help: 'Answers by call and status.code',
    labelNames: ['path', 'code'],
    registers: [registry],
  })
  return {
    of(path) {
      const seconds = duration.labels(path)
      const counters: ReturnType<typeof answers.labels>[] = []
      return (code, milliseconds) => {
        seconds.observe(milliseconds / 1000)
        const counter = (counters[code] ??= answers.labels(path, String(code)))
        counter.inc()
      }
    },
  }
}
