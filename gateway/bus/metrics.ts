import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Unanswered } from './port.ts'
import type { BusRefusal } from './seal.ts'

type Kind = 'news' | 'notice' | 'beat' | 'question'

/** The bus's figures. */
export interface BusMetrics {
  sent(kind: Kind): void
  heard(kind: Kind): void
  refused(reason: BusRefusal): void
  gapBegan(reason: 'cutOff' | 'silence' | 'missing'): void
  /** A question goes out; what is answered hears how it ended. */
  asked(): (outcome: Unanswered | 'answered') => void
  /** Asked at every scrape. */
  watch(figures: () => { up: boolean; others: number }): void
}

/** Figures in a Prometheus registry: bus_up, bus_gaps_total, bus_messages_total, bus_ask_seconds, bus_refused_total, gateways. */
export function createBusMetrics(registry: Registry): BusMetrics {
  const registers = [registry]
  const messages = new Counter({
    name: 'bus_messages_total',
    help: 'Messages between gateways',
    labelNames: ['kind', 'way'],
    registers,
  })
  const refusals = new Counter({
    name: 'bus_refused_total',
    help: 'Messages between gateways that were dropped',
    labelNames: ['reason'],
    registers,
  })
  const gaps = new Counter({
    name: 'bus_gaps_total',
    help: 'Times in which news from other gateways may have been lost',
    labelNames: ['reason'],
    registers,
  })
  const seconds = new Histogram({
    name: 'bus_ask_seconds',
    help: 'Time until another gateway answered, or did not',
    labelNames: ['outcome'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
    registers,
  })
  let figures = () => ({ up: false, others: 0 })
  const up: Gauge = new Gauge({
    name: 'bus_up',
    help: 'Whether this gateway is on the bus',
    registers,
    collect: () => up.set(Number(figures().up)),
  })
  const others: Gauge = new Gauge({
    name: 'gateways',
    help: 'Gateways of this database that live, this one included',
    registers,
    collect: () => others.set(1 + figures().others),
  })
  return {
    sent: (kind) => messages.inc({ kind, way: 'out' }),
    heard: (kind) => messages.inc({ kind, way: 'in' }),
    refused: (reason) => refusals.inc({ reason }),
    gapBegan: (reason) => gaps.inc({ reason }),
    asked() {
      const end = seconds.startTimer()
      return (outcome) => void end({ outcome })
    },
    watch: (next) => void (figures = next),
  }
}
