import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'

/**
 * Mounts an in-memory disk for a test, removed afterwards; skips the test if mounting is not permitted.
 *
 * options  of tmpfs, e.g. `size=64m,mode=755` or `ro`
 */
export function mountDisk(test: TestContext, options: string): string {
  const disk = mkdtempSync(join(tmpdir(), 'disk-'))
  onTestFinished(() => rmSync(disk, { recursive: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    test.skip('needs the right to mount a disk')
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
  return disk
}
