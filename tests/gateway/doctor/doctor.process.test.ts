import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../gateway/config.ts'
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
  it('ends with 0 where nothing keeps the gateway from its work, and makes nothing', async () => {
    const { code, stdout } = await run({ LANG: 'zh_TW.UTF-8' })
    expect(stdout).toMatch(/^✓ 設定 {2}所有設定都能讀取。$/m)
    expect(stdout).toMatch(/0 個錯誤，\d 個警告。/)
    expect([code, readdirSync(dir)]).toEqual([0, []])
  })

  it('ends with 1 where something does, in the language that is asked for, and tells no secret', async () => {
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

  it('ends with 2 when it is called wrongly', async () => {
    const { code, stdout } = await run({}, '--lang', 'tlh')
    expect([code, stdout.includes('--lang zh-TW|en-US')]).toEqual([2, true])
  })
})

describe.skipIf(!hasNats())('the bus', () => {
  it('answers with fewer nodes than it should have, or not at all', async () => {
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
      (await checkBus(config(url))).map(({ weight, sentence }) => `${weight} ${sentence}`)
    expect(await look(server.url)).toEqual(['ok busJoined', 'warning busFew'])
    expect(await look(`${server.url},127.0.0.1:1,127.0.0.1:2`)).toEqual(['ok busJoined', 'fault busDown'])
    await server.stop()
    expect(await look(server.url)).toEqual(['fault busDown', 'warning busFew', 'fault busAway'])
  })
})
