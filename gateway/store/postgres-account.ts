import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Account of the server; PostgreSQL refuses to run as root. */
export interface Account {
  uid: number
  gid: number
}

/** Start options of a PostgreSQL program. */
export interface Launcher {
  account: Account | undefined
  /** Prefixes a command with a wrapper that drops privileges and ties the child to this process. */
  wrap(command: string[]): string[]
  /** Account for spawn itself, if there is no wrapper. */
  spawn: { uid?: number; gid?: number }
}

const CAP_DAC_OVERRIDE = 1n
const CAP_DAC_READ_SEARCH = 2n
const NOBODY: Account = { uid: 65_534, gid: 65_534 }

/**
 * Determines the account and wrapper of the server. As root: the owner of an existing cluster, else `postgres`, else `nobody`. On Linux
 * it uses setpriv, so that the server stops if this process is killed.
 *
 * cluster   data directory, which may not exist yet
 * paths     paths that the account must reach: the programs and the directory of the cluster
 * errors    if the account cannot reach them and this process may not grant it the capability
 */
export const launcherFor = (cluster: string, paths: string[]): Launcher => {
  const account = process.getuid?.() === 0 ? unprivileged(cluster) : undefined
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(existsSync)
  // busybox has a setpriv too, without --pdeathsig.
  if (!setpriv || realpathSync(setpriv).endsWith('busybox'))
    return {
      account,
      wrap: (command) => command,
      spawn: account ?? {},
    }
  const prefix = [setpriv, '--pdeathsig', 'INT']
  if (account) {
    prefix.push('--reuid', `${account.uid}`, '--regid', `${account.gid}`, '--clear-groups')
    const closedDirectory = paths
      .map((path) => firstInaccessible(path, account))
      .find((path) => path !== undefined)
    if (closedDirectory) prefix.push(...grantSearch(closedDirectory, account))
  }
  return { account, wrap: (command) => [...prefix, ...command], spawn: {} }
}

const unprivileged = (cluster: string): Account => {
  const owner = existsSync(cluster) ? statSync(cluster) : undefined
  if (owner?.uid) return { uid: owner.uid, gid: owner.gid }
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : NOBODY
}

/** Nearest ancestor of a path that the account may not enter, typically /root. */
const firstInaccessible = (path: string, { uid, gid }: Account): string | undefined => {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const { mode, uid: owner, gid: group } = statSync(dir)
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if (!(mode & bit)) return dir
    if (dir === dirname(dir)) return undefined
  }
}

/** Grants the server access to directories that only root may enter; it keeps no other capability. */
const grantSearch = (directory: string, { uid }: Account): string[] => {
  const status = readFileSync('/proc/self/status', 'utf8')
  const effective = BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(status)?.[1] ?? '0'}`)
  const capability =
    effective & (1n << CAP_DAC_READ_SEARCH)
      ? '+dac_read_search'
      : effective & (1n << CAP_DAC_OVERRIDE)
        ? '+dac_override'
        : undefined
  if (!capability)
    throw new Error(
      `PostgreSQL does not run as root, and user ${uid} may not enter ${directory}: ` +
        'start the gateway as an ordinary user, or move it and its data to a directory that everybody may enter',
    )
  return ['--securebits', '+no_setuid_fixup', '--inh-caps', capability, '--ambient-caps', capability]
}
