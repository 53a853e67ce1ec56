/** `npm run dev`: gateway and screens with hot reload; the screens' server forwards calls to the gateway. */
import { spawn } from 'node:child_process'

const gatewayPort = process.env['PORT'] ?? '8080'
const env = { ...process.env, PORT: gatewayPort, DATA_DIR: process.env['DATA_DIR'] ?? '.data/dev' }
const children = [
  spawn('npx', ['tsx', 'watch', '--clear-screen=false', 'gateway/main.ts'], { stdio: 'inherit', env }),
  spawn('npx', ['vite'], {
    stdio: 'inherit',
    env: { ...env, GATEWAY_URL: `http://127.0.0.1:${gatewayPort}` },
  }),
]

for (const child of children)
  child.on('exit', (code) => {
    for (const other of children) other.kill('SIGTERM')
    process.exitCode ??= code ?? 0
  })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
