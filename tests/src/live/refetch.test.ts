import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { createRefetch } from '../../../src/data/refetch.ts'

/** A list on a page, whose answers come when the test lets them. */
function setUp() {
  const client = new QueryClient()
  const asked: { answer: (text: string) => void; signal: AbortSignal }[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['/ListUser', {}],
    queryFn: ({ signal }) => new Promise<string>((answer) => asked.push({ answer, signal })),
    retry: false,
  })
  observer.subscribe(() => {})
  const shows = (text: string) => vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(text))
  return { client, refetch: createRefetch(client), asked, shows }
}

describe('asking again for what changed', () => {
  it('begins anew what was asked for before the change', async () => {
    const { client, refetch, asked, shows } = setUp()
    asked[0]?.answer('old')
    await shows('old')
    void client.refetchQueries()
    refetch(['/ListUser'])
    expect(asked[1]?.signal.aborted).toBe(true)
    asked[2]?.answer('new')
    await shows('new')
    expect(asked).toHaveLength(3)
  })

  it('asks once more when a first answer was on its way', async () => {
    const { refetch, asked, shows } = setUp()
    refetch(['/ListUser'])
    asked[0]?.answer('old')
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    asked[1]?.answer('new')
    await shows('new')
    expect(asked).toHaveLength(2)
  })

  it('lets an answer come before it asks once more for all that changed meanwhile', async () => {
    const { refetch, asked, shows } = setUp()
    asked[0]?.answer('old')
    await shows('old')
    for (let change = 0; change < 100; change++) refetch(['/ListUser'])
    expect(asked).toHaveLength(2)
    asked[1]?.answer('between')
    await shows('between')
    await vi.waitFor(() => expect(asked).toHaveLength(3))
    asked[2]?.answer('new')
    await shows('new')
    expect(asked).toHaveLength(3)
  })
})
