import { spawnSync } from 'node:child_process'

/** Network of one gateway that can be cut from single ports of this machine (Linux, as root). */
export interface OwnNetwork {
  /** Command prefix that runs a program in it. */
  within: readonly string[]
  /** Its address, and that of this machine as seen from it. */
  address: string
  machine: string
  /** Drops all packets from and to these ports. */
  cut(ports: readonly number[]): void
  mend(): void
  remove(): void
}

const run = (...words: string[]): boolean => spawnSync(words[0] as string, words.slice(1)).status === 0

/** Opens one; undefined if not permitted. */
export function openNetwork(i: number): OwnNetwork | undefined {
  const name = `cluster-${process.pid}-${i}`
  const link = `c${process.pid % 100_000}x${i}`
  const [machine, address] = [`10.231.${i}.1`, `10.231.${i}.2`]
  const inside = (...words: string[]) => run('ip', 'netns', 'exec', name, ...words)
  const remove = () => void run('ip', 'netns', 'del', name)
  if (!run('ip', 'netns', 'add', name)) return undefined
  const isOpen =
    run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name) &&
    run('ip', 'address', 'add', `${machine}/24`, 'dev', link) &&
    run('ip', 'link', 'set', link, 'up') &&
    inside('ip', 'link', 'set', 'lo', 'up') &&
    inside('ip', 'address', 'add', `${address}/24`, 'dev', 'eth0') &&
    inside('ip', 'link', 'set', 'eth0', 'up') &&
    inside('iptables', '-F')
  if (!isOpen) {
    remove()
    return undefined
  }
  return {
    within: ['ip', 'netns', 'exec', name],
    address,
    machine,
    cut(ports) {
      for (const port of ports) {
        inside('iptables', '-A', 'OUTPUT', '-p', 'tcp', '--dport', String(port), '-j', 'DROP')
        inside('iptables', '-A', 'INPUT', '-p', 'tcp', '--sport', String(port), '-j', 'DROP')
      }
    },
    mend: () => void inside('iptables', '-F'),
    remove,
  }
}
