import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { columnsOf, toSnakeCase } from '../../../gateway/store/sql.ts'

describe('SQL names', () => {
  it.each([
    ['PeripheralUID', 'peripheral_uid'],
    ['HomeID', 'home_id'],
    ['RootCognitoId', 'root_cognito_id'],
    ['UserIDs', 'user_ids'],
    ['IPAddress', 'ip_address'],
    ['CO2Value', 'co2_value'],
    ['HourlykWh', 'hourly_kwh'],
    ['kWh', 'kwh'],
    ['Switch1', 'switch1'],
  ])('writes %s as %s', (wire, name) => expect(toSnakeCase(wire)).toBe(name))

  it('selects each column of a record under its wire name', () => {
    const Room = z.object({ HomeID: z.string(), RoomID: z.number() })
    expect(columnsOf(Room).text).toBe('home_id as "HomeID", room_id as "RoomID"')
    expect(columnsOf(Room.pick({ RoomID: true }), 'r').text).toBe('r.room_id as "RoomID"')
  })
})
