import { describe, expect, it } from 'vitest'
import {
  Email,
  HomeID,
  Name,
  Password,
  PeripheralType,
  RoomID,
  TimeZone,
} from '../../../contract/kernel/scalars.ts'
import type { z } from 'zod'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('scalars', () => {
  it.each(['a@b.tw', 'Wang.Da+x@Example.COM.tw', '王@例子.台灣'])('accept the address %s', (address) => {
    expect(Email.parse(address)).toBe(address.toLowerCase())
  })
  it.each(['', 'a', 'a@', '@b.c', 'a b@c.d', 'a@b', 'a@b.', 'a@@b.c', 'a,b@c.d', '<a@b.c>'])(
    'reject the address %j',
    (address) => expect(accepts(Email, address)).toBe(false),
  )
  it('require six characters, a digit and a lowercase letter in a password', () => {
    expect(accepts(Password, 'abcde1')).toBe(true)
    for (const weak of ['abcd1', 'abcdef', '123456', 'ABCDE1', `a1${'x'.repeat(255)}`])
      expect(accepts(Password, weak)).toBe(false)
  })
  it('trim names and reject empty and too long ones', () => {
    expect(Name.parse('  會議室 A ')).toBe('會議室 A')
    expect(accepts(Name, '   ')).toBe(false)
    for (const unseen of ['\u200b', '\ufeff\u2060', '\u202e\t']) expect(accepts(Name, unseen)).toBe(false)
    for (const script of ['مكتب', '👩‍🔧', 'ห้อง', '-']) expect(Name.parse(script)).toBe(script)
    expect(accepts(Name, 'x'.repeat(65))).toBe(false)
  })
  it('accept opaque ids of at most 64 safe characters', () => {
    expect(accepts(HomeID, 'h_1-A')).toBe(true)
    for (const bad of ['', 'a/b', 'a+b', '#', 'a b', 'x'.repeat(65), '../x'])
      expect(accepts(HomeID, bad)).toBe(false)
  })
  it('accept room 0 and no negative or invalid room number', () => {
    expect(accepts(RoomID, 0)).toBe(true)
    for (const bad of [-1, 1.5, Number.NaN, 2 ** 31, '0']) expect(accepts(RoomID, bad)).toBe(false)
  })
  it('accept time zones by name only', () => {
    expect(accepts(TimeZone, 'Asia/Taipei')).toBe(true)
    for (const bad of ['', 'Taipei', 'Asia/Nowhere', 'x'.repeat(65)])
      expect(accepts(TimeZone, bad)).toBe(false)
  })
  it('accept a type code as digits only', () => {
    expect(accepts(PeripheralType, '516')).toBe(true)
    for (const bad of ['', '51a', '-1', 516]) expect(accepts(PeripheralType, bad)).toBe(false)
  })
})
