import { describe, expect, it } from 'vitest'
import { bytesOf, open, utf16Of } from './build-files.ts'

const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const ole = (stream: string) => Uint8Array.from([...OLE, ...new Uint8Array(504), ...utf16Of(stream, 'le')])
const head = (...bytes: readonly number[]) => Uint8Array.from([...bytes, ...bytesOf('rest of the file')])

describe('a file that cannot be read is rejected by name', () => {
  it.each([
    ['nothing', bytesOf(''), 'empty'],
    ['an old workbook', ole('Workbook'), 'oldExcel'],
    ['an even older one', head(0x09, 0x04, 0x06, 0x00), 'oldExcel'],
    ['a workbook with a password', ole('EncryptedPackage'), 'passwordProtected'],
    ['a PDF', bytesOf('%PDF-1.7\n'), 'pdf'],
    ['a PNG', head(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 'picture'],
    ['a JPEG', head(0xff, 0xd8, 0xff, 0xe0), 'picture'],
    ['a GIF', bytesOf('GIF89a'), 'picture'],
    ['a BMP', head(0x42, 0x4d, 1, 2, 3, 4, 0, 0, 0, 0), 'picture'],
    ['a TIFF', head(0x49, 0x49, 0x2a, 0), 'picture'],
    ['a WebP', bytesOf('RIFF1234WEBP'), 'picture'],
    ['a HEIC', head(0, 0, 0, 24, ...bytesOf('ftypheic')), 'picture'],
    ['a web page', bytesOf('\n<html><body><table><tr><td>1</td></tr></table>'), 'html'],
    ['a web page with a document type', bytesOf('<!DOCTYPE html>\n<html>'), 'html'],
    ['an XHTML page', bytesOf('<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">'), 'html'],
    ['a table of a web page', bytesOf('\uFEFF<table border=1>'), 'html'],
    [
      'a web archive',
      bytesOf('MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"\r\n'),
      'html',
    ],
    ['an EDIFACT interchange', bytesOf("UNA:+.? 'UNB+UNOC:3+1:14+2:14+260601:0000+1'"), 'edifact'],
    ['an MSCONS message', bytesOf("UNH+1+MSCONS:D:04B:UN:2.4c'"), 'edifact'],
    ['a program', Uint8Array.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0xff, 0xff]), 'notRead'],
  ])('%s', async (_, content, fault) => {
    await expect(open(content)).rejects.toMatchObject({ name: 'FileRefused', fault })
  })

  it.each(['BM1,a\n1,2\n', 'UNAUTHORIZED,a\n1,2\n', 'UNB,a\n1,2\n', 'GIF,a\n1,2\n'])(
    'but not a table that begins alike: %j',
    async (text) => {
      expect((await open(text)).grid).toHaveLength(2)
    },
  )
})
