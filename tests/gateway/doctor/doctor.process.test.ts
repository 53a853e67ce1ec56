import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../gateway/config/config.ts'
import { checkBus } from '../../../gateway/doctor/check-services.ts'
import { hasNats, startNats } from '../bus/nats-server.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'doctor-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

const run = (environment: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: number; stdout: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', 'gateway/doctor/main.ts', ...args],
      { env: { PATH: process.env['PATH'], DATA_DIR: dir, PORT: '0', MQTT_PORT: '0', ...environment } },
      (_error, stdout) => resolve({ code: child.exitCode ?? -1, stdout }),
    )
  })

describe('npm run doctor', () => {
  it('exits with 0 if nothing prevents the gateway from working, and creates nothing', async () => {
    const { code, stdout } = await run({ LANG: 'zh_TW.UTF-8' })
    expect(stdout).toMatch(/^✓ 設定 {2}所有設定都能讀取。$/m)
    expect(stdout).toMatch(/0 個錯誤，\d 個警告。/)
    expect([code, readdirSync(dir)]).toEqual([0, []])
  })

  it('exits with 1 if something does, in the requested language, without secrets', async () => {
    const environment = {
      LANG: 'zh_TW.UTF-8',
      SECRET: 'hush-hush-hush-hush',
      DATABASE_URL: 'postgres://me:hush-hush@127.0.0.1:1,127.0.0.1:2/name',
    }
    const { code, stdout } = await run(environment, '--lang', 'en-US')
    expect(stdout).toContain('✗ Database  The database at 127.0.0.1:1, 127.0.0.1:2 cannot be used')
    expect(stdout).not.toContain('hush')
    expect(code).toBe(1)
  })

  it('exits with 2 after a usage error', async () => {
    const { code, stdout } = await run({}, '--lang', 'tlh')
    expect([code, stdout.includes('--lang zh-TW|en-US')]).toEqual([2, true])
  })
})

describe.skipIf(!hasNats())('the bus', () => {
  it('is reported if it has too few nodes or does not respond', async () => {
    const server = await startNats()
    const config = (BUS_URL: string) =>
      readConfig({
        BUS_URL,
        SECRET: 'the same at each gateway',
        DATABASE_URL: 'postgres://one/name',
        S3_BUCKET: 'b',
        PUBLIC_URL: 'https://a.example',
      })
    const look = async (url: string) =>
      (await checkBus(config(url))).map(({ severity, messageKey }) => `${severity} ${messageKey}`)
    expect(await look(server.url)).toEqual(['ok busJoined', 'warning busFew'])
    expect(await look(`${server.url},127.0.0.1:1,127.0.0.1:2`)).toEqual(['ok busJoined', 'fault busDown'])
    await server.stop()
    expect(await look(server.url)).toEqual(['fault busDown', 'warning busFew', 'fault busAway'])
  })
})
