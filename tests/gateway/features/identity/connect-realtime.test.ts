import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

it('gives screens that connect in the same millisecond separate credentials', async () => {
  const all = await Promise.all([1, 2, 3].map(() => root.post('/ConnectRealtime')))
  expect(new Set(all.map(({ results }) => results.ClientID)).size).toBe(3)
})
