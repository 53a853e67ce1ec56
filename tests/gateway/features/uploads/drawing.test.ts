import { expect, it } from 'vitest'
import { createDrawing } from '../../../../gateway/features/uploads/re-encode.ts'
import { createTenantLimit } from '../../../../gateway/http/rate-limits.ts'

/** Drawing whose images complete when the test says so. */
function hold() {
  const begun: { name: string; finish(error?: Error): void }[] = []
  const draw = createDrawing(createTenantLimit)
  const add = (tenant: string, name: string) =>
    draw(
      tenant,
      () =>
        new Promise<string>((resolve, reject) => {
          const finish = (error?: Error) => (error ? reject(error) : resolve(name))
          begun.push({ name, finish })
        }),
    )
  /** Completes the image in progress, which must be this one, and lets the next begin. */
  const finish = async (name: string, drawn: Promise<unknown>, error?: Error) => {
    expect(begun.map((each) => each.name)).toEqual([name])
    begun.shift()?.finish(error)
    await drawn.catch(() => {})
    await new Promise(setImmediate)
  }
  return { begun, add, finish }
}

it('draws one picture at a time, alternating between companies', async () => {
  const { begun, add, finish } = hold()
  const [a1, a2, a3] = [add('a', 'a1'), add('a', 'a2'), add('a', 'a3')]
  const b1 = add('b', 'b1')
  await new Promise(setImmediate)
  await finish('a1', a1)
  await finish('b1', b1)
  await finish('a2', a2)
  await finish('a3', a3)
  expect(begun).toEqual([])
})

it('continues after a picture that cannot be drawn, and reports it', async () => {
  const { add, finish } = hold()
  const [broken, good] = [add('a', 'broken'), add('a', 'good')]
  await new Promise(setImmediate)
  await finish('broken', broken, new Error('no picture'))
  await expect(broken).rejects.toMatchObject({ code: 'INVALID', fields: { file: 'imageType' } })
  await finish('good', good)
  expect(await good).toBe('good')
})

it('rejects more of a company than can wait, but still accepts others', async () => {
  const { add, begun } = hold()
  for (let i = 0; i < 9; i++) void add('a', `a${i}`)
  await expect(add('a', 'one more')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  void add('b', 'b1')
  await new Promise(setImmediate)
  begun.shift()?.finish()
  await new Promise(setImmediate)
  expect(begun.map(({ name }) => name)).toEqual(['b1'])
})
