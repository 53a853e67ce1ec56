import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../gateway/kernel/errors.ts'
import { createWriteHealth } from '../../../gateway/store/write-health.ts'

const says = (code: string) => Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code })

describe('writes', () => {
  it.each([
    ['the disk is full', '53100'],
    ['the database is read-only', '25006'],
    ['the disk cannot be written', '58030'],
  ])('fail from when %s until one succeeds and 30 s are over', (_, code) => {
    let now = 1_000
    const health = createWriteHealth(() => now)
    expect(health.isFailing()).toBe(false)
    health.onFailure(new GatewayError('UNAVAILABLE', 'away', undefined, { cause: says(code) }))
    now += 60_000
    expect(health.isFailing()).toBe(true)
    health.onSuccess('select 1')
    expect(health.isFailing()).toBe(true)
    health.onSuccess('with a as (select 1) insert into rows select * from a')
    expect(health.isFailing()).toBe(false)
  })

  it('still fail while small ones succeed among failing ones', () => {
    let now = 0
    const health = createWriteHealth(() => now)
    for (; now < 120_000; now += 10_000) {
      health.onFailure(says('53100'))
      health.onSuccess('update rows set n = 1')
      expect(health.isFailing()).toBe(true)
    }
    now += 30_000
    expect(health.isFailing()).toBe(false)
  })

  it.each(['23505', '40001', '57014', '08006'])('are OK though the database says %s', (code) => {
    const health = createWriteHealth(() => 0)
    health.onFailure(says(code))
    health.onFailure(new Error('anything'))
    expect(health.isFailing()).toBe(false)
  })
})
