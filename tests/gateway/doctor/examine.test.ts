import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../../gateway/config/config.ts'
import { checkCertificates } from '../../../gateway/doctor/examine.ts'
import { checkDatabase } from '../../../gateway/doctor/check-database.ts'
import { checkDisk, checkPorts, checkProgram } from '../../../gateway/doctor/check-machine.ts'
import { checkFiles, checkMail } from '../../../gateway/doctor/check-services.ts'
import { examine, redactor } from '../../../gateway/doctor/examine.ts'
import { type Finding, languageOf, formatMessage, type MessageKey } from '../../../gateway/doctor/words.ts'
import { secretFingerprint } from '../../../gateway/cluster/registry.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { hasOpenssl, makeCertificates } from '../../support/certificates.ts'
import { createDiskFiles } from '../../../gateway/lib/files/disk.ts'
import { mountDisk } from '../../support/mount-disk.ts'
import { createTestDb, MIGRATIONS, type TestDb, testSocketDir } from '../../support/postgres.ts'

const SECRET = 'a secret of this installation'
let dir: string
const servers: Server[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'doctor-'))
})
afterEach(async () => {
  vi.useRealTimers()
  rmSync(dir, { recursive: true })
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))))
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const configOf = (environment: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: dir, SECRET, PORT: '0', MQTT_PORT: '0', HOST: '127.0.0.1', ...environment })
const briefly = (findings: readonly Finding[]) =>
  findings.map(({ severity, messageKey }) => `${severity} ${messageKey}`)
const valuesOf = (findings: readonly Finding[], sentence: MessageKey) =>
  findings.find((finding) => finding.messageKey === sentence)?.values

describe('the machine', () => {
  it('has a new enough Node.js, or not', () => {
    expect(briefly(checkProgram('>=20.19.0', '20.19.1'))).toEqual(['ok nodeFits'])
    for (const old of ['18.20.0', '20.18.3'])
      expect(briefly(checkProgram('>=20.19.0', old))).toEqual(['fault nodeOld'])
  })

  it('has disk space and a writable directory, or not', (test) => {
    expect(checkDisk(configOf())[0]?.severity).not.toBe('fault')
    const elsewhere = { FILES_DIR: dir, DATABASE_URL: 'postgres://a@localhost/a' }
    expect(checkDisk(configOf(elsewhere)).map(({ values }) => values?.['path'])).toEqual([dir])
    expect(
      briefly(checkDisk(configOf({ ...elsewhere, FILES_DIR: join(mountDisk(test, 'ro'), 'files') }))),
    ).toEqual(['fault diskClosed'])
    expect(briefly(checkDisk(configOf({ DATA_DIR: mountDisk(test, 'size=64m') })))).toEqual([
      'fault diskFull',
    ])
    const closed = join(mountDisk(test, 'ro'), 'data')
    expect(checkDisk(configOf({ DATA_DIR: closed }))).toMatchObject([
      { messageKey: 'diskClosed', values: { path: closed, reason: 'EROFS' } },
    ])
  })

  it('distinguishes free ports from ones used by a gateway or another program', async () => {
    const free = await listen(createServer())
    await new Promise((done) => servers.pop()?.close(done))
    const other = await listen(createServer((socket) => socket.destroy()))
    const gateway = await listen(createHttp((_, answer) => answer.end('{"live":true}')))
    const check = (PORT: number, MQTT_PORT: number) =>
      checkPorts(configOf({ PORT: String(PORT), MQTT_PORT: String(MQTT_PORT), MQTT_HOST: '127.0.0.1' }))
    expect(briefly(await check(free, other))).toEqual(['ok portFree', 'fault portTaken'])
    expect(briefly(await check(gateway, other))).toEqual(['ok portRuns', 'ok portRuns'])
    expect(briefly(await check(other, free))).toEqual(['fault portTaken', 'ok portFree'])
  })
})

describe.skipIf(!hasOpenssl())('certificates', () => {
  it('are checked for expiry, matching key and the name that hubs use', () => {
    const { cert, key } = makeCertificates(dir)
    const check = (environment: Record<string, string>, now = Date.now()) =>
      briefly(checkCertificates(configOf({ MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key, ...environment }), now))
    expect(check({ HUB_URL: 'mqtts://localhost' })).toEqual(['warning certificateSoon'])
    expect(check({ HUB_URL: 'mqtts://127.0.0.1' }, Date.now() - 30 * 86_400_000)).toEqual([
      'fault certificateEarly',
    ])
    const long = makeCertificates(dir, 30)
    expect(check({ MQTT_TLS_CERT: long.cert, MQTT_TLS_KEY: long.key })).toEqual(['ok certificateFits'])
    makeCertificates(dir)
    expect(check({ HUB_URL: 'mqtts://hubs.example' }, Date.now() + 3 * 86_400_000)).toEqual([
      'fault certificateOver',
      'warning certificateName',
    ])
    expect(check({ MQTT_TLS_KEY: join(dir, 'ca-key.pem') })).toEqual(['fault certificateKey'])
    expect(check({ MQTT_TLS_CERT: join(dir, 'none.pem') })).toEqual(['fault certificateUnread'])
  })
})

describe('the database', () => {
  let test: TestDb
  const url = (name = test.name, user = 'gateway') =>
    `postgres://${user}:hush-hush@localhost/${name}?host=${encodeURIComponent(testSocketDir())}`
  const check = (environment: Record<string, string> = {}) =>
    checkDatabase({
      config: configOf({ DATABASE_URL: url(), DATABASE_POOL: '5', ...environment }),
      version: '1.2.3',
      migrations: MIGRATIONS,
    })
  beforeEach(async () => {
    test = await createTestDb()
  })
  afterEach(() => test.dropDatabase())
  const add = (name: string, version: string, secret = SECRET, filesMark: string | null = null) =>
    test.db.query(sql`insert into gateways (id, name, version, schema, secret_mark, files_mark)
      values (${`g-${name}`}, ${name}, ${version}, 1, ${secretFingerprint(secret)}, ${filesMark})`)
  const HEALTHY = ['ok databaseAnswers', 'ok schemaCurrent', 'ok connectionsEnough', 'ok clockRight']

  it('responds without findings', async () => {
    await add('one', '1.2.3')
    expect(briefly(await check())).toEqual([...HEALTHY, 'ok gatewaysSeen'])
  })

  it('is unreachable or missing', async () => {
    const away = await check({ DATABASE_URL: 'postgres://me:hush-hush@127.0.0.1:1/name' })
    expect(away).toMatchObject([{ messageKey: 'databaseAway', values: { where: '127.0.0.1:1' } }])
    const none = await check({ DATABASE_URL: url('no_such_database') })
    expect(none).toMatchObject([
      { messageKey: 'databaseAway', values: { reason: 'database "no_such_database" does not exist' } },
    ])
    expect(JSON.stringify([away, none])).not.toContain('hush')
  })

  it('has pending or unknown migrations, or a user who cannot create tables', async () => {
    await test.db.query(
      sql`delete from schema_migrations where version = (select max(version) from schema_migrations)`,
    )
    expect(briefly(await check())[1]).toBe('warning schemaPending')
    await test.db.query(
      sql`insert into schema_migrations (version, name, sha256) values (9999, '9999_later.sql', '')`,
    )
    expect(valuesOf(await check(), 'schemaWrong')?.['reason']).toContain('9999_later.sql')
    const empty = await createTestDb({ template: 'empty' })
    const guest = `guest_${empty.name}`
    await empty.db.query({ name: 'guest', text: `create role ${guest} login`, values: [] })
    const found = await check({ DATABASE_URL: url(empty.name, guest) })
    await empty.dropDatabase()
    await test.db.query({ name: 'guest', text: `drop role ${guest}`, values: [] })
    expect(briefly(found).slice(1, 3)).toEqual(['ok schemaNew', 'fault schemaNoRight'])
  })

  it('allows fewer connections than the gateways need, or has no standby for several of them', async () => {
    const several = { BUS_URL: 'nats://127.0.0.1', S3_BUCKET: 'b', PUBLIC_URL: 'https://a.example' }
    await add('one', '1.2.3')
    await add('two', '1.2.3')
    const found = await check({ ...several, DATABASE_POOL: '100' })
    expect(briefly(found).slice(2, 4)).toEqual(['warning connectionsFew', 'warning standbyNone'])
    expect(valuesOf(found, 'connectionsFew')).toEqual({ gateways: 2, pool: 100, most: 206, max: 200 })
  })

  it('has gateways with separate picture stores, where several must share one', async () => {
    const FILES_DIR = join(dir, 'shared')
    const several = { BUS_URL: 'nats://127.0.0.1', FILES_DIR, PUBLIC_URL: 'https://a.example' }
    await add('before', '1.2.3')
    await add('one', '1.2.3', SECRET, await createDiskFiles(FILES_DIR).readLocationId())
    const faults = async () => briefly(await check(several)).filter((found) => found.startsWith('fault'))
    expect(await faults()).toEqual([])
    await add('two', '1.2.3', SECRET, 's3:pictures/')
    const found = await check(several)
    expect(valuesOf(found, 'gatewaysFiles')).toEqual({ name: 'two' })
    expect(await faults()).toEqual(['fault gatewaysFiles'])
    // A mark that cannot be read is not reported as another directory's.
    rmSync(join(FILES_DIR, '.mark'))
    mkdirSync(join(FILES_DIR, '.mark'))
    expect(await faults()).toEqual([])
  })

  it('has a different clock', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 })
    // The check itself takes some time of the real clock.
    expect(Number(valuesOf(await check(), 'clockWrong')?.['seconds'])).toBeCloseTo(90, -1)
  })

  it('has gateways of other versions, with another secret, or several without a bus', async () => {
    await add('one', '1.2.3')
    await add('two', '1.2.2', 'the secret of somebody else')
    const found = await check()
    expect(briefly(found).slice(HEALTHY.length)).toEqual([
      'warning gatewaysDiffer',
      'fault gatewaysSecret',
      'fault gatewaysNoBus',
    ])
    expect(valuesOf(found, 'gatewaysDiffer')).toEqual({ list: 'one 1.2.3, two 1.2.2' })
    await test.db.query(sql`update gateways set ended_at = now() where name = 'two'`)
    expect(briefly(await check()).slice(HEALTHY.length)).toEqual(['ok gatewaysSeen'])
    await test.db.query(sql`update gateways set seen_at = seen_at - interval '1 minute'`)
    expect(briefly(await check()).slice(HEALTHY.length)).toEqual(['ok gatewaysNone'])
  })
})

describe('services', () => {
  it('accept email, or not, without exposing a password', async () => {
    let answer = '535 go away'
    const SMTP_URL = `smtp://me:hush-hush@127.0.0.1:${await listen(
      createServer((socket) => {
        socket.on('error', () => {}).write('220 mail\r\n')
        socket.on('data', (data) => {
          const isHello = /^(EHLO|HELO)/.test(String(data))
          socket.write(isHello ? '250-mail\r\n250 AUTH PLAIN\r\n' : `${answer}\r\n`)
        })
      }),
    )}`
    const refused = await checkMail(configOf({ SMTP_URL }))
    expect(briefly(refused)).toEqual(['fault mailAway'])
    expect(valuesOf(refused, 'mailAway')?.['reason']).toContain('535 go away')
    expect(JSON.stringify(refused)).not.toContain('hush')
    answer = '235 welcome'
    expect(briefly(await checkMail(configOf({ SMTP_URL })))).toEqual(['ok mailAnswers'])
    expect(briefly(await checkMail(configOf()))).toEqual(['warning mailNone'])
  })

  it('have a picture store, or not', async () => {
    let status = 404
    const server = createHttp((_, answer) => {
      const code = status === 404 ? 'NoSuchKey' : 'InvalidAccessKeyId'
      answer.writeHead(status, { 'content-type': 'application/xml' })
      answer.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
    })
    const store = {
      S3_BUCKET: 'pictures',
      S3_ENDPOINT: `http://127.0.0.1:${await listen(server)}`,
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'hush-hush',
    }
    expect(briefly(await checkFiles(configOf(store)))).toEqual(['ok filesAnswer'])
    status = 403
    expect(await checkFiles(configOf(store))).toMatchObject([
      { messageKey: 'filesAway', values: { reason: 'InvalidAccessKeyId' } },
    ])
    server.closeAllConnections()
  })
})

describe('settings', () => {
  const look = (environment: Record<string, string>) =>
    examine({
      environment: { DATA_DIR: join(dir, 'data'), PORT: '0', MQTT_PORT: '0', ...environment },
      version: '1.2.3',
      node: '>=20.19.0',
      migrations: MIGRATIONS,
    })

  it('are named if invalid, and nothing else is checked', async () => {
    expect(await look({ SECRET: 'hush', API_KEY_FILE: join(dir, 'none') })).toMatchObject([
      { severity: 'fault', values: { reason: `API_KEY_FILE: ${dir}/none does not exist` } },
      { severity: 'fault', values: { reason: 'SECRET: must have at least 16 characters' } },
      { messageKey: 'nodeFits' },
    ])
  })

  it('are optional, and nothing is created', async () => {
    const found = await look({})
    expect(briefly(found)).toEqual(
      expect.arrayContaining(['ok settingsRead', 'ok secretMissing', 'warning mailNone', 'ok busNone']),
    )
    expect(found.filter(({ severity }) => severity === 'fault')).toEqual([])
    expect(checkDisk(configOf({ DATA_DIR: join(dir, 'data') }))).toHaveLength(1)
  })
})

describe('the output', () => {
  it('is in the language of the terminal', () => {
    expect(languageOf({ LANG: 'zh_TW.UTF-8' })).toBe('zh-TW')
    expect(languageOf({ LANG: 'zh_TW.UTF-8', LC_ALL: 'C' })).toBe('en-US')
    expect(languageOf({})).toBe('en-US')
    expect(formatMessage('zh-TW', 'portTaken', { port: 1883, use: 'mqtt' })).toBe(
      '連接埠 1883（mqtt）已被其他程式占用。',
    )
  })

  it('contains no secret, whatever its source', () => {
    writeFileSync(join(dir, 'nkey'), 'SUHUSH\n')
    const redact = redactor({
      SECRET,
      DATABASE_URL: 'postgres://me:p%40ssword@one/name',
      BUS_NKEY_FILE: join(dir, 'nkey'),
    })
    expect(redact(`${SECRET} p%40ssword p@ssword SUHUSH postgres://me:p%40ssword@one/name`)).toBe(
      '••• ••• ••• ••• •••',
    )
  })
})
