import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, makeDataDir, readConfig } from '../../../gateway/config/config.ts'
import type { SECRETS } from '../../../gateway/lib/settings/secret-files.ts'
import { startGateway } from '../../../gateway/start.ts'
import { mountDisk } from '../../support/mount-disk.ts'

let DATA_DIR: string
beforeAll(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'config-'))
})
afterAll(() => rm(DATA_DIR, { recursive: true }))

describe('the configuration', () => {
  it('works without any variables', () => {
    expect(readConfig({ DATA_DIR })).toMatchObject({
      PORT: 8080,
      HOST: '0.0.0.0',
      MQTT_PORT: 1883,
      TRUST_PROXY: false,
      RATE_USER: { perSecond: 50, burst: 300 },
      POOL_ID: expect.stringMatching(/^local_[a-z0-9]{8}$/),
    })
  })

  it('creates its secret once, readable only by its owner, with names derived from it', async () => {
    const first = readConfig({ DATA_DIR })
    expect(readConfig({ DATA_DIR })).toEqual(first)
    const path = join(DATA_DIR, 'secret')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await readFile(path, 'utf8')).trim()).toBe(first.SECRET)
    expect(Buffer.from(first.SECRET, 'base64url')).toHaveLength(32)
    const other = readConfig({ DATA_DIR, SECRET: 'another-secret-of-16' })
    expect(other.POOL_ID).not.toBe(first.POOL_ID)
    expect(other.API_KEY).not.toBe(first.API_KEY)
  })

  it('resolves a relative directory of the dashboard', () => {
    expect(readConfig({ DATA_DIR, WEB_DIR: 'dist/web' }).WEB_DIR).toBe(resolve('dist/web'))
  })

  it('lists what several gateways need in addition to their bus', () => {
    const refusal = (environment: Record<string, string>) => {
      try {
        readConfig({ DATA_DIR, ...environment })
      } catch (error) {
        return (error as Error).message.split('\n').slice(1)
      }
      return []
    }
    const BUS_URL = 'nats://one:4222,two:4222'
    expect(refusal({ BUS_URL })).toEqual([
      '  DATABASE_URL: is needed with BUS_URL: several gateways share a database',
      '  S3_BUCKET or FILES_DIR: is needed with BUS_URL: a picture that one gateway took must be found by the others',
      '  SECRET: is needed with BUS_URL: it must be the same at each of them',
      '  PUBLIC_URL: is needed with BUS_URL: browsers reach them all at one address',
    ])
    const shared = {
      DATABASE_URL: 'postgres://db/one',
      S3_BUCKET: 'pictures',
      SECRET: 'the same secret at each of them',
      PUBLIC_URL: 'https://building.example',
    }
    expect(refusal({ BUS_URL, ...shared })).toEqual([])
    const { S3_BUCKET, ...others } = shared
    expect(refusal({ BUS_URL, ...others, FILES_DIR: '/mnt/files' })).toEqual([])
    expect(refusal({ S3_BUCKET, FILES_DIR: '/mnt/files' })).toEqual([
      '  FILES_DIR: is not for pictures and firmware in an S3_BUCKET; set one of both',
    ])
    for (const wrong of ['http://one', 'nats://', 'nats://user:password@one', 'nats://one, two'])
      expect(refusal({ BUS_URL: wrong, ...shared })).toHaveLength(1)
  })

  it('names the page to read if an external MQTT broker was set', () => {
    expect(() => readConfig({ DATA_DIR, MQTT_URL: 'mqtt://broker' })).toThrow(
      'MQTT_URL: gateways are their own brokers; see docs/operating/several-gateways.md',
    )
  })

  it('does not start with an empty secret file', async () => {
    const broken = join(DATA_DIR, 'broken')
    await mkdir(broken)
    await writeFile(join(broken, 'secret'), '')
    expect(() => readConfig({ DATA_DIR: broken })).toThrow(ConfigError)
  })

  it('keeps its data directory and files private to its account', async () => {
    const fresh = join(DATA_DIR, 'fresh')
    makeDataDir(readConfig({ DATA_DIR: fresh }))
    await mkdir(join(fresh, 'files'))
    const modeOf = async (name: string) => (await stat(join(fresh, name))).mode
    // Where the gateway runs as root, the account of the database server needs to traverse the directory.
    expect((await modeOf('.')) & 0o066).toBe(0)
    expect((await modeOf('secret')) & 0o077).toBe(0)
    expect((await modeOf('files')) & 0o077).toBe(0)
  })

  it('stores pictures in its data directory, or in a configured one, which it does not create', async () => {
    expect(readConfig({ DATA_DIR }).FILES_DIR).toBe(join(DATA_DIR, 'images'))
    const elsewhere = {
      DATA_DIR: join(DATA_DIR, 'unused'),
      SECRET: 'a secret of its own',
      DATABASE_URL: 'postgres://a@127.0.0.1:1/a',
      FILES_DIR: join(DATA_DIR, 'mounted'),
    }
    expect(() => makeDataDir(readConfig(elsewhere))).toThrow(
      `FILES_DIR: ${elsewhere.FILES_DIR} cannot be written (ENOENT)`,
    )
    await mkdir(elsewhere.FILES_DIR)
    makeDataDir(readConfig(elsewhere))
    await expect(stat(elsewhere.DATA_DIR)).rejects.toThrow('ENOENT')
  })

  it('reports that its data directory is not writable, even as root', async (test) => {
    const disk = mountDisk(test, 'ro')
    const refusal = `DATA_DIR: ${disk} cannot be written (EROFS)`
    expect(() => readConfig({ DATA_DIR: disk })).toThrow(refusal)
    const config = readConfig({ DATA_DIR: disk, SECRET: 'a secret of its own', LOG_LEVEL: 'silent' })
    await expect(startGateway(config)).rejects.toThrow(refusal)
    const outside = {
      DATABASE_URL: 'postgres://a@127.0.0.1:1/a',
      S3_BUCKET: 'pictures',
    }
    expect(() =>
      makeDataDir(readConfig({ DATA_DIR: disk, SECRET: 'a secret of its own', ...outside })),
    ).not.toThrow()
  })

  it('names every invalid variable and shows no value', () => {
    const wrong = {
      DATA_DIR,
      PORT: 'http',
      PUBLIC_URL: 'here',
      SECRET: 'short-secret',
      MQTT_TLS_CERT: '/c.pem',
    }
    let fault: unknown
    try {
      readConfig(wrong)
    } catch (error) {
      fault = error
    }
    expect(fault).toBeInstanceOf(ConfigError)
    const { message } = fault as Error
    for (const name of ['PORT', 'PUBLIC_URL', 'SECRET', 'MQTT_TLS_CERT and MQTT_TLS_KEY'])
      expect(message).toContain(name)
    expect(message).not.toContain('short-secret')
  })

  it('reads each secret from a file if one is named', async () => {
    const path = join(DATA_DIR, 'secrets')
    await mkdir(path)
    const values: Record<(typeof SECRETS)[number], string> = {
      SECRET: 'a secret from a file',
      API_KEY: 'a key from a file',
      METRICS_TOKEN: 'a token from a file',
      DATABASE_URL: 'postgres://user@one,two/name',
      DATABASE_PASSWORD: 'p@ss',
      SMTP_URL: 'smtp://user:password@mail.example',
      BUS_NKEY: 'SUSEED',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
    }
    const environment: Record<string, string> = { DATA_DIR }
    for (const [name, value] of Object.entries(values)) {
      await writeFile(join(path, name), `${value}\n`)
      environment[`${name}_FILE`] = join(path, name)
    }
    const { DATABASE_PASSWORD: _, ...read } = values
    expect(readConfig(environment)).toMatchObject({
      ...read,
      DATABASE_URL: 'postgres://user:p%40ss@one,two/name',
    })
    // A URL in a file fully configures the bus.
    expect(
      readConfig({ ...environment, BUS_URL: 'nats://one', S3_BUCKET: 'b', PUBLIC_URL: 'https://a.example' }),
    ).toMatchObject({ BUS_NKEY: 'SUSEED' })
  })

  it('reports what is wrong with a secret in a file, and never its value', async () => {
    const empty = join(DATA_DIR, 'empty')
    await writeFile(empty, ' \n')
    const short = join(DATA_DIR, 'short')
    await writeFile(short, 'too-short')
    const refusal = (environment: Record<string, string>) => {
      try {
        return void readConfig({ DATA_DIR, ...environment })
      } catch (error) {
        return (error as Error).message.split('\n').slice(1)
      }
    }
    expect(
      refusal({
        SECRET: 'a secret of its own',
        SECRET_FILE: short,
        API_KEY_FILE: join(DATA_DIR, 'none'),
        SMTP_URL_FILE: empty,
        BUS_NKEY_FILE: DATA_DIR,
      }),
    ).toEqual([
      '  SECRET and SECRET_FILE are both set; leave one out',
      `  API_KEY_FILE: ${DATA_DIR}/none does not exist`,
      `  SMTP_URL_FILE: ${empty} is empty`,
      `  BUS_NKEY_FILE: ${DATA_DIR} cannot be read (EISDIR)`,
    ])
    expect(refusal({ SECRET_FILE: short })).toEqual(['  SECRET: must have at least 16 characters'])
    expect(refusal({ SECRET_FILE: '' })).toBeUndefined()
  })

  it('accepts a database password only if the URL does not contain one', () => {
    for (const DATABASE_URL of [undefined, 'postgres://one/name', 'postgres://user:mine@one/name'])
      expect(() => readConfig({ DATA_DIR, DATABASE_URL, DATABASE_PASSWORD: 'other' })).toThrow(
        'DATABASE_PASSWORD: is for a DATABASE_URL that names a user and has no password itself',
      )
    expect(() =>
      readConfig({ DATA_DIR, DATABASE_URL: 'postgres://u@a,b/n?target_session_attrs=any' }),
    ).toThrow('DATABASE_URL: target_session_attrs must be read-write')
    const spaced = readConfig({
      DATA_DIR,
      DATABASE_URL: ' postgres://user@one/name ',
      DATABASE_PASSWORD: 'p',
    })
    expect(spaced.DATABASE_URL).toBe('postgres://user:p@one/name')
  })

  it('treats an empty variable as not set', () => {
    expect(readConfig({ DATA_DIR, SMTP_URL: '', PORT: '' })).toMatchObject({ PORT: 8080 })
  })

  it('keeps commands for a quarter and the audit for two years by default', () => {
    expect(readConfig({ DATA_DIR })).toMatchObject({ KEEP_COMMANDS: 90, KEEP_AUDIT: 730, KEEP_HISTORY: 400 })
    expect(readConfig({ DATA_DIR, KEEP_AUDIT: '0' })).toMatchObject({ KEEP_AUDIT: 0 })
    expect(() => readConfig({ DATA_DIR, KEEP_COMMANDS: '-1' })).toThrow('KEEP_COMMANDS')
  })

  it('accepts proxies only by address, network and name', () => {
    for (const TRUST_PROXY of ['10.0.0.1', '10.0.0.0/8, ::1', 'loopback,uniquelocal', '2001:db8::/32'])
      expect(readConfig({ DATA_DIR, TRUST_PROXY })).toMatchObject({ TRUST_PROXY })
    for (const TRUST_PROXY of ['yes', 'proxy.example', '10.0.0.1/40', '10.0.0.1 10.0.0.2', '::/129'])
      expect(() => readConfig({ DATA_DIR, TRUST_PROXY })).toThrow('TRUST_PROXY')
  })

  it('trusts every proxy only if the gateway is reachable from this machine only', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1'])
      expect(readConfig({ DATA_DIR, HOST, TRUST_PROXY: 'true' })).toMatchObject({ TRUST_PROXY: 'loopback' })
    for (const HOST of [undefined, '0.0.0.0', '192.0.2.1', 'building.example'])
      expect(() => readConfig({ DATA_DIR, HOST, TRUST_PROXY: 'true' })).toThrow('TRUST_PROXY: true is for')
  })

  it('accepts camera networks only by address, network and name', () => {
    for (const CAMERA_NETWORKS of ['192.168.1.0/24', '10.0.0.7, fd00::/8', 'loopback,linklocal'])
      expect(readConfig({ DATA_DIR, CAMERA_NETWORKS })).toMatchObject({ CAMERA_NETWORKS })
    expect(readConfig({ DATA_DIR, CAMERA_NETWORKS: '' }).CAMERA_NETWORKS).toBeUndefined()
    for (const CAMERA_NETWORKS of ['true', 'camera.example', '192.168.1.0/33', '192.168.1.0/', 'loopback,'])
      expect(() => readConfig({ DATA_DIR, CAMERA_NETWORKS })).toThrow('CAMERA_NETWORKS')
  })

  it('reads limits as rate and burst', () => {
    const { RATE_USER, RATE_AUTH } = readConfig({ DATA_DIR, RATE_USER: '0', RATE_AUTH: '2/9' })
    expect([RATE_USER.perSecond, RATE_AUTH]).toEqual([0, { perSecond: 2, burst: 9 }])
  })
})
