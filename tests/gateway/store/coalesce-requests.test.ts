import { expect, it } from 'vitest'
import { createRequestCoalescer } from '../../../gateway/store/coalesce-requests.ts'
import { GatewayError } from '../../../gateway/kernel/errors.ts'

interface Item {
  group: string
  key: string
}

/** A coalescer whose statements end when the test says so. */
function start(fails: (items: Item[]) => Error | undefined = () => undefined) {
  const ran: string[][] = []
  const waiting: (() => void)[] = []
  const begun: (() => void)[] = []
  const ask = createRequestCoalescer<Item, string>({
    groupOf: ({ group }) => group,
    keyOf: ({ key }) => key,
    async run(items) {
      ran.push(items.map(({ key }) => key))
      for (const wake of begun.splice(0)) wake()
      await new Promise<void>((resolve) => waiting.push(resolve))
      const error = fails(items)
      if (error) throw error
      return items.map(({ key }) => `answer to ${key}`)
    },
  })
  return {
    ran,
    ask: (key: string, group = 'a') => ask({ group, key }),
    end: () => waiting.shift()?.(),
    /** Resolves when this number of statements has begun. */
    async runs(count: number) {
      while (ran.length < count) await new Promise<void>((resolve) => begun.push(resolve))
    },
  }
}

it('combines concurrent requests into one statement and answers each', async () => {
  const { ask, end, runs, ran } = start()
  const answers = Promise.all(['1', '2', '3'].map((key) => ask(key)))
  await runs(1)
  end()
  expect(await answers).toEqual(['answer to 1', 'answer to 2', 'answer to 3'])
  expect(ran).toEqual([['1', '2', '3']])
})

it('collects requests while two statements are running', async () => {
  const { ask, end, runs, ran } = start()
  const answers = [ask('1')]
  await runs(1)
  answers.push(ask('2'))
  await runs(2)
  answers.push(ask('3'), ask('4'))
  end()
  await runs(3)
  expect(ran).toEqual([['1'], ['2'], ['3', '4']])
  end()
  end()
  await Promise.all(answers)
})

it('never puts a key, or two groups, into one statement twice', async () => {
  const { ask, end, runs, ran } = start()
  const answers = Promise.all([ask('1'), ask('1'), ask('2'), ask('1', 'b')])
  await runs(3)
  expect(ran.toSorted()).toEqual([['1'], ['1'], ['1', '2']])
  end()
  end()
  end()
  await answers
})

it('fails only the item that the database rejects', async () => {
  const { ask, end, runs } = start((items) =>
    items.some(({ key }) => key === 'bad') ? new Error('bad') : undefined,
  )
  const answers = Promise.allSettled(['1', 'bad', '2'].map((key) => ask(key)))
  for (let count = 1; count <= 4; count++) {
    await runs(count)
    end()
  }
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('does not retry item by item while the database is unavailable', async () => {
  const { ask, end, runs, ran } = start(() => new GatewayError('UNAVAILABLE', 'away'))
  const answers = Promise.allSettled(['1', '2'].map((key) => ask(key)))
  await runs(1)
  end()
  for (const answer of await answers) expect(answer).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
  expect(ran).toHaveLength(1)
})
