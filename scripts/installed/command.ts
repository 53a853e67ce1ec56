import process from 'node:process'

/** The gateway's commands in an installation without its source: `building-dashboard backup export …`. */
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  backup: () => import('../../gateway/store/tool.ts'),
  'bus-account': () => import('../../gateway/tools/bus-account.ts'),
  doctor: () => import('../../gateway/doctor/main.ts'),
  health: () => import('./health.ts'),
  'invite-company': () => import('../../gateway/features/identity/invite-company.ts'),
}

const [name = ''] = process.argv.splice(2, 1)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (command) await command()
else {
  process.stderr.write(
    `Usage: building-dashboard COMMAND …, where COMMAND is ${Object.keys(COMMANDS).join(', ')}; COMMAND --help says more\n`,
  )
  process.exitCode = 1
}
