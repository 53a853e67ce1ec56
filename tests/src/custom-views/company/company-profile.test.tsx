import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { company } from '../../../../contract/people/company-calls.ts'
import { uploads } from '../../../../contract/homes/upload-calls.ts'
import CompanyProfilePage from '../../../../src/custom-views/company/company-profile.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { companyKey, putCompany } from '../../../../src/data/personal.ts'
import { me } from '../../../../src/data/session.ts'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { pictureFile } from '../../../support/picture-files.ts'
import { prepareSession, openPage, sentTo } from '../../support/page.tsx'
const profile = { CompanyName: '示範公司', LogoName: '示範', LogoUrl: null }

function open() {
  openPage(<CompanyProfilePage />, '*', '/CompanyProfile')
  return userEvent.setup({ applyAccept: false })
}
const nameField = async () => (await screen.findByLabelText('公司名稱')) as HTMLInputElement
const picture = (kind = 'image/png') => pictureFile(kind)

/** Size of the next image, as the browser would measure it. */
let size = { width: 200, height: 100 }

beforeAll(async () => {
  await loadNamespaces(['company'])
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ ...size, close: () => {} }))
  URL.createObjectURL = () => 'blob:preview'
  URL.revokeObjectURL = () => {}
})
beforeEach(() => {
  prepareSession()
  size = { width: 200, height: 100 }
  server.use(answers(company.getCompanyProfile, profile))
})

/** Gateway that stores changes of the company. */
const keepsProfile = () => {
  let kept = profile
  return [
    answers(company.getCompanyProfile, () => kept),
    answers(company.updateCompanyProfile, (body) => {
      const { Seen: _, ...changes } = body as Partial<typeof profile> & { Seen: unknown }
      return (kept = { ...kept, ...changes })
    }),
  ]
}

describe('the company page', () => {
  it('saves name and title, and the menu shows them at once', async () => {
    const saved = { ...profile, CompanyName: '新公司' }
    server.use(...keepsProfile())
    const user = open()
    await user.clear(await nameField())
    await user.type(await nameField(), '新公司')
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() => expect(queryClient.getQueryData(companyKey)).toEqual(saved))
    expect(sentTo(company.updateCompanyProfile)).toEqual([
      { CompanyName: '新公司', Seen: { CompanyName: '示範公司' } },
    ])
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /儲\s*存/ })).toHaveProperty('disabled', true),
    )
  })

  it('does not send an empty name', async () => {
    const user = open()
    await user.clear(await nameField())
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    expect(await screen.findByText('請輸入名稱')).toBeTruthy()
    expect(sentTo(company.updateCompanyProfile)).toEqual([])
  })

  it('follows changes by others while nothing is typed', async () => {
    open()
    expect((await nameField()).value).toBe('示範公司')
    act(() => putCompany({ ...profile, CompanyName: '別人改的' }))
    await waitFor(async () => expect((await nameField()).value).toBe('別人改的'))
  })

  it('keeps typed text when others save, and offers their values', async () => {
    const user = open()
    await user.type(await nameField(), '！')
    act(() => putCompany({ ...profile, CompanyName: '別人改的' }))
    expect(await screen.findByText('其他人剛修改過這筆資料')).toBeTruthy()
    expect((await nameField()).value).toBe('示範公司！')
    await user.click(screen.getByRole('button', { name: '採用對方的內容' }))
    await waitFor(async () => expect((await nameField()).value).toBe('別人改的'))
  })

  it('adopts a title that someone else saves while the name is edited, and never sends the old one', async () => {
    server.use(
      answers(company.updateCompanyProfile, { ...profile, CompanyName: '示範公司！', LogoName: '新' }),
    )
    const user = open()
    await user.type(await nameField(), '！')
    act(() => putCompany({ ...profile, LogoName: '新' }))
    await waitFor(() => expect((screen.getByLabelText(/標題/) as HTMLInputElement).value).toBe('新'))
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() =>
      expect(sentTo(company.updateCompanyProfile)).toEqual([
        { CompanyName: '示範公司！', Seen: { CompanyName: '示範公司' } },
      ]),
    )
  })

  it('shows a value that someone else saved first', async () => {
    server.use(rejectCall(company.updateCompanyProfile, 'CONFLICT', { fields: { CompanyName: 'changed' } }))
    const user = open()
    await user.type(await nameField(), '！')
    server.use(answers(company.getCompanyProfile, { ...profile, CompanyName: '別人改的' }))
    await user.click(screen.getByRole('button', { name: /儲\s*存/ }))
    expect(await screen.findByText('別人改的')).toBeTruthy()
    expect((await nameField()).value).toBe('示範公司！')
  })

  it('is read-only without the right to change it, and names the missing right', async () => {
    me.set(subUser([{ FeatureKey: 'company', OperationList: ['Read'] }]))
    open()
    expect(await screen.findByText('示範公司')).toBeTruthy()
    expect(screen.getByText(/需要「公司資料」的「修改」權限/)).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('says that it could not be loaded', async () => {
    server.use(rejectCall(company.getCompanyProfile, 'INTERNAL'))
    open()
    expect(await screen.findByText(t('screens:loadFailed'))).toBeTruthy()
  })
})

describe('the logo', () => {
  const ticket = {
    UploadUrl: '/uploads/ticket',
    ImageUrl: '/images/logo.png',
    MaxBytes: 1_048_576,
    ExpiresAt: 1,
  }

  it("is previewed before upload, then uploaded to the gateway's address with its content type", async () => {
    let put: string | null = null
    server.use(
      answers(uploads.uploadCompanyLogo, ticket),
      http.put('*/uploads/ticket', ({ request }) => {
        put = request.headers.get('content-type')
        server.use(answers(company.getCompanyProfile, { ...profile, LogoUrl: ticket.ImageUrl }))
        return HttpResponse.json({ status: { code: 0 }, results: {} })
      }),
    )
    const user = open()
    await user.upload(await screen.findByLabelText('選擇圖片'), picture())
    expect(await screen.findByText('新標誌預覽：200 × 100 像素')).toBeTruthy()
    expect(screen.getByAltText('示範 的標誌').getAttribute('src')).toBe('blob:preview')
    expect(sentTo(uploads.uploadCompanyLogo)).toEqual([])
    await user.click(screen.getByRole('button', { name: '使用此標誌' }))
    await waitFor(() => expect(screen.getByAltText('示範 的標誌').getAttribute('src')).toBe(ticket.ImageUrl))
    expect(sentTo(uploads.uploadCompanyLogo)).toEqual([{ ContentType: 'image/png' }])
    expect(put).toBe('image/png')
  })

  it.each([
    [
      'of another kind',
      () => picture('image/gif'),
      { width: 9, height: 9 },
      '請選擇 JPG、PNG 或 WebP 圖片。',
    ],
    ['taller than wide', picture, { width: 100, height: 300 }, /圖片高大於寬（100 × 300）/],
  ])('is rejected before any request if it is %s', async (_, chosen, measured, words) => {
    size = measured
    const user = open()
    await user.upload(await screen.findByLabelText('選擇圖片'), chosen())
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '使用此標誌' })).toBeNull()
    expect(sentTo(uploads.uploadCompanyLogo)).toEqual([])
  })

  it('is limited to the maximum size of the gateway', async () => {
    server.use(answers(uploads.uploadCompanyLogo, { ...ticket, MaxBytes: 2 }))
    const user = open()
    await user.upload(await screen.findByLabelText('選擇圖片'), picture())
    await user.click(await screen.findByRole('button', { name: '使用此標誌' }))
    expect(await screen.findByText(/圖片過大/)).toBeTruthy()
  })

  it('stays selected if the upload fails, so that it can be retried', async () => {
    server.use(
      answers(uploads.uploadCompanyLogo, ticket),
      http.put('*/uploads/ticket', () => new HttpResponse(null, { status: 503 })),
    )
    const user = open()
    await user.upload(await screen.findByLabelText('選擇圖片'), picture())
    await user.click(await screen.findByRole('button', { name: '使用此標誌' }))
    expect(await screen.findByText('上傳失敗，請重試。')).toBeTruthy()
    // The loading icon may still fade out, as part of the button's name.
    expect(screen.getByRole('button', { name: /使用此標誌$/ })).toBeTruthy()
  })
})
