import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'

/**
 * A disk of one's own in memory for a test, gone with it; the test says that it is skipped where nobody may mount one.
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
