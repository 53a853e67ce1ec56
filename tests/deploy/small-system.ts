import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Creates the files of a minimal system like Debian's with Node, from this machine's files without downloads: Node, a shell, a few
 * programs, and the libraries that every Debian has.
 *
 * programs  in addition to Node, the shell and the tool that drops privileges
 */
export function makeSystem(root: string, programs: readonly string[] = ['mkdir', 'chown', 'chmod']): void {
  const put = (file: string) => {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    if (!existsSync(join(root, file))) copyFileSync(file, join(root, file))
  }
  mkdirSync(join(root, 'usr/bin'), { recursive: true })
  mkdirSync(join(root, 'tmp'))
  chmodSync(join(root, 'tmp'), 0o1777)
  for (const [link, target] of [
    ['bin', 'usr/bin'],
    ['lib', 'usr/lib'],
    ['lib64', 'usr/lib64'],
  ] as const) {
    mkdirSync(join(root, target), { recursive: true })
    symlinkSync(target, join(root, link))
  }
  for (const name of ['node', 'sh', 'setpriv', ...programs]) {
    const program = realpathSync(execFileSync('which', [name], { encoding: 'utf8' }).trim())
    copyFileSync(program, join(root, 'usr/bin', name))
    const linked = execFileSync('ldd', [program], { encoding: 'utf8' })
    for (const [library] of linked.matchAll(/\/\S+/g)) put(library)
  }
  const files = execFileSync('dpkg', ['-L', 'libc6', 'libgcc-s1', 'libstdc++6'], { encoding: 'utf8' })
  for (const file of files.split('\n'))
    if (/\.so[.\d]*$/.test(file) && !/gconv|audit/.test(file) && statSync(file).isFile()) put(file)
  mkdirSync(join(root, 'etc'))
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n')
}
