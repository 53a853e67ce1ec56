/** `npm start`: the product, empty at first. Builds parts that are missing or older than their sources, then runs the gateway. */
import { ensureGatewayBuild, ensureWebBuild } from './build-if-needed.ts'
import { startGatewayProcess } from './gateway-process.ts'

if (!ensureWebBuild() || !ensureGatewayBuild()) process.exit(1)
try {
  const gateway = await startGatewayProcess(
    ['node', '--enable-source-maps', '--max-semi-space-size=64', 'dist/gateway/main.js'],
    // A person reads this output; request logs are meant for a service.
    { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn' },
  )
  console.log(`\n  Open  ${gateway.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void gateway.stop())
  gateway.process.on('exit', (code) => process.exit(code ?? 1))
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
