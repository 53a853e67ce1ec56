import { pino } from 'pino'
import { startBridge } from './bridge.ts'
import { readOptions, USAGE } from './options.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') return console.log(USAGE)
  const log = pino({ level: options.logLevel })
  const bridge = startBridge({ ...options, log })
  const figures = setInterval(() => log.info(bridge.stats(), 'statistics'), 60_000)
  const stop = () => {
    clearInterval(figures)
    void bridge.stop()
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  console.error(USAGE)
  process.exitCode = 2
})
