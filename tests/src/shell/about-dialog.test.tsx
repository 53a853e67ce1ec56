import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { AboutDialog } from '../../../src/shell/about-dialog.tsx'
import { server } from '../../support/msw.ts'
import { prepareSession, openPage } from '../support/page.tsx'

it("links from the product's license to third-party licenses", async () => {
  prepareSession()
  server.use(http.get('*/health/live', () => HttpResponse.json({ live: true, version: '1.2.3' })))
  openPage(<AboutDialog onClose={() => {}} />, '/', '/')
  expect(await screen.findByText('1.2.3')).toBeTruthy()
  expect(screen.getByText('第三方軟體授權').closest('a')?.getAttribute('href')).toBe('/THIRD-PARTY.txt')
})
