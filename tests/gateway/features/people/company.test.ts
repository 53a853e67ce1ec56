import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

it('keeps concurrent changes of two users on the company page', async () => {
  for (let round = 0; round < 5; round++) {
    const CompanyName = `Name ${round}`
    const LogoName = `Logo ${round}`
    const answers = await Promise.all([
      root.post('/UpdateCompanyProfile', { CompanyName, RequestID: `name-${round}` }),
      root.post('/UpdateCompanyProfile', { LogoName, RequestID: `logo-${round}` }),
    ])
    expect(answers.map(({ status }) => status.code)).toEqual([0, 0])
    expect((await root.post('/GetCompanyProfile')).results).toMatchObject({ CompanyName, LogoName })
  }
})
