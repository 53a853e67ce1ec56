import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foldText } from '../../../../contract/kernel/text.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  const { DepartmentID } = (await root.post('/CreateDepartment', { Department: 'Équipe Ａ１室' })).results
  await root.post('/CreateUser', {
    Email: 'jose@people.example',
    password: 'initial1',
    FirstName: 'José',
    LastName: 'Núñez',
    DepartmentID,
  })
  await root.post('/CreateEmployee', {
    EmployeeName: 'José',
    Email: 'jose@employees.example',
    DepartmentID,
  })
  await root.post('/RegisterVisitor', {
    VisitorName: 'José',
    Company: 'Ａ１室 équipe',
    Email: 'jose@visitors.example',
    Phone: '0911-222-333',
    ValidFrom: world.clock.now(),
    ValidUntil: world.clock.now() + 3_600_000,
  })
})
afterAll(() => world.close())

const LISTS = [
  ['/ListUserPage', 'FirstName'],
  ['/ListEmployee', 'EmployeeName'],
  ['/ListVisitor', 'VisitorName'],
  ['/SearchColleague', 'Name'],
  ['/SearchHost', 'EmployeeName'],
] as const

describe.each(LISTS)('the search of %s', (path, name) => {
  it.each(['jose', 'JOSÉ', 'José'.normalize('NFD'), 'ＪＯＳＥ', 'a1室', 'equipe', 'ÉQUIPE'])(
    'finds José of Équipe Ａ１室 by %s',
    async (Search) => {
      const { results } = await root.post(path, { Search })
      const rows = (results.Rows ?? results) as Record<string, string>[]
      expect(rows.map((row) => row[name])).toEqual([expect.stringContaining('José')])
    },
  )

  it('finds no one by another name', async () => {
    const { results } = await root.post(path, { Search: 'josef' })
    expect(results.Rows ?? results).toEqual([])
  })
})

it('finds an audit record by a name without its accents', async () => {
  const { results } = await root.post('/ListAuditLog', { Search: 'nunez' })
  expect(results.Rows.map(({ Path }: { Path: string }) => Path)).toContain('/CreateUser')
})

it('folds in the database as on screens', async () => {
  const texts = [
    'José',
    'José'.normalize('NFD'),
    'ＡＢＣ１',
    'İSTANBUL',
    '大廳，三樓',
    'ガス',
    'ｶﾞｽ',
    'Ø Ж Ω',
    '㎡',
    'Straße',
    '',
  ]
  const rows = await world.db.query<{ folded: string }>(
    sql`select fold_text(one) as folded from unnest(${texts}::text[]) with ordinality as t (one, at) order by at`,
  )
  expect(rows.map(({ folded }) => folded)).toEqual(texts.map(foldText))
})
