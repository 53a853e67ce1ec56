import { ConfigError, readConfig } from './config/config.ts'
import { RefusedError } from './cluster/lock.ts'
import { startGateway } from './start.ts'

/** Maximum time of a graceful shutdown, in ms; after it the process exits anyway. */
const SHUTDOWN_TIMEOUT_MS = 30_000

async function main(): Promise<void> {
  const starting = startGateway(readConfig(process.env))
  const end = (signal: string) => {
    console.log(`${signal}: finishing …`)
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    // Shutdown during the start waits for its end, so that the embedded database is not left running.
    starting
      .then((running) => running.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)

  const running = await starting
  console.log(`The gateway answers at ${running.url} (started in ${running.startupMs} ms)`)
  if (running.outboxUrl) console.log(`No mail server is configured; emails are kept at ${running.outboxUrl}`)
}

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError || error instanceof RefusedError ? error.message : error)
  process.exit(1)
})
