import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it } from 'vitest'
import { lazyScreen } from '../../../src/ui/page/lazy.tsx'

const Here = () => <p>here</p>
const draw = (Screen: ReturnType<typeof lazyScreen>) =>
  render(
    <Suspense>
      <Screen />
    </Suspense>,
  )

it('is loaded once, even if rendered and prefetched before it arrives', async () => {
  let loads = 0
  const Screen = lazyScreen(async () => {
    loads += 1
    return { default: Here }
  })
  draw(Screen)
  await Screen.preload()
  await screen.findByText('here')
  expect(loads).toBe(1)
})

it('is loaded again when rendered after a failed load', async () => {
  let loads = 0
  const Screen = lazyScreen(async () => {
    loads += 1
    if (loads === 1) throw new Error('no network')
    return { default: Here }
  })
  await Screen.preload()
  draw(Screen)
  await screen.findByText('here')
  expect(loads).toBe(2)
})
