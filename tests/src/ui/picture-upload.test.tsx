import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ImageType } from '../../../src/lib/image-type.ts'
import { showNoticesWith } from '../../../src/data/notices.ts'
import { PictureUpload } from '../../../src/ui/inputs/picture-upload.tsx'
import { server } from '../../support/msw.ts'
import { pictureFile } from '../../support/picture-files.ts'

const target = vi.fn<(type: ImageType) => Promise<{ UploadUrl: string; MaxBytes: number }>>()

const said: string[] = []

beforeEach(() => {
  said.length = 0
  showNoticesWith(
    ({ text }) => said.push(text()),
    () => '',
  )
  target.mockReset().mockResolvedValue({ UploadUrl: '/uploads/ticket', MaxBytes: 1_048_576 })
  render(<PictureUpload alt="王大明" url={null} target={target} />)
})
const choose = (file: File) =>
  userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText('上傳圖片'), file)
const answerWith = (status: number, sent?: (type: string | null) => void) =>
  server.use(
    http.put('*/uploads/ticket', ({ request }) => {
      sent?.(request.headers.get('content-type'))
      return HttpResponse.json({ status: { code: status === 200 ? 0 : 1 } }, { status })
    }),
  )

it('sends a picture by its content type, despite its name', async () => {
  const sent = vi.fn<(type: string | null) => void>()
  answerWith(200, sent)
  await choose(pictureFile('image/webp', 'image/jpeg'))
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
  expect(target).toHaveBeenCalledWith('image/webp')
  expect(sent).toHaveBeenCalledWith('image/webp')
  await waitFor(() => expect(said).toEqual(['上傳成功']))
})

it('rejects a script named as a picture before any request', async () => {
  await choose(pictureFile('image/svg+xml', 'image/png'))
  expect(await screen.findByText('請選擇 JPG、PNG 或 WebP 圖片。')).toBeTruthy()
  expect(target).not.toHaveBeenCalled()
})

it('shows the maximum size for a picture that is too large', async () => {
  const sent = vi.fn<(type: string | null) => void>()
  answerWith(200, sent)
  target.mockResolvedValue({ UploadUrl: '/uploads/ticket', MaxBytes: 2 })
  await choose(pictureFile('image/png'))
  expect(await screen.findByText(/圖片不可超過/)).toBeTruthy()
  expect(sent).not.toHaveBeenCalled()
})

it.each([
  [400, /檔案可能已損壞/],
  [503, '上傳失敗'],
])('distinguishes a broken picture from a failed upload: %i', async (status, words) => {
  answerWith(status)
  await choose(pictureFile('image/png'))
  expect(await screen.findByText(words)).toBeTruthy()
})
