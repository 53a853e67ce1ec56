import { describe, expect, it } from 'vitest'
import { readDatabaseUrl, urlWithPassword } from '../../../gateway/store/database-hosts.ts'

describe('a connection string', () => {
  it('of one server is passed to pg unchanged', () => {
    for (const url of [
      'postgres://user:p%40ss@host:5433/name?sslmode=verify-full',
      'postgresql:///name?host=/run/postgresql',
      'postgres://user@host/name',
    ])
      expect(readDatabaseUrl(url)).toEqual({ connectionString: url, hosts: [] })
  })

  it('can name several hosts with ports, and the target server type', () => {
    expect(
      readDatabaseUrl(
        'postgres://user:p@ss@one.example,[fd00::1]:5433,%2Frun%2Fpg/name?target_session_attrs=read-write&sslmode=disable',
      ),
    ).toEqual({
      connectionString: 'postgres://user:p@ss@one.example/name?sslmode=disable',
      hosts: [
        { host: 'one.example', port: 5432 },
        { host: 'fd00::1', port: 5433 },
        { host: '/run/pg', port: 5432 },
      ],
    })
    expect(readDatabaseUrl('postgres://one,two/name').hosts).toHaveLength(2)
    expect(readDatabaseUrl('postgres://one/name?sslmode=disable&target_session_attrs=primary')).toEqual({
      connectionString: 'postgres://one/name?sslmode=disable',
      hosts: [{ host: 'one', port: 5432 }],
    })
  })

  it('is rejected if it targets a read-only server, or has an empty list entry', () => {
    for (const [url, why] of [
      ['postgres://u:secret@one,two/name?target_session_attrs=any', 'must be read-write'],
      ['postgres://u:secret@one/name?target_session_attrs=standby', 'must be read-write'],
      ['postgres://u:secret@one,,two/name', 'has a host that cannot be read'],
      ['postgres://u:secret@one,two:x/name', 'has a host that cannot be read'],
    ] as const) {
      expect(() => readDatabaseUrl(url)).toThrow(why)
      expect(() => readDatabaseUrl(url)).not.toThrow('secret')
    }
  })

  it('gets a separate password, unless it has one or has no user', () => {
    expect(urlWithPassword('postgres://user@one,two/name', 'a/b@c')).toBe(
      'postgres://user:a%2Fb%40c@one,two/name',
    )
    for (const url of ['postgres://user:mine@one/name', 'postgres://one/name'])
      expect(urlWithPassword(url, 'other')).toBe(url)
  })
})
