import { expect, test } from './support/test.ts'

test('the API reference leads from the list of calls to one call in detail', async ({ browser, empty }) => {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
      faults.push(message.text())
  })
  await page.goto(`${empty.url}/reference`)
  await page.getByRole('link', { name: '/CreateRoom', exact: true }).click()
  const call = page.locator('#operations-room-CreateRoom')
  await expect(call.getByText('RoomName').first()).toBeVisible()
  await expect(call.getByRole('button', { name: 'Try it out' })).toBeVisible()
  await page.getByRole('link', { name: 'All calls and topics' }).click()
  await expect(page.getByRole('heading', { name: 'Topics' })).toBeVisible()
  expect(faults).toEqual([])
  await page.close()
})
