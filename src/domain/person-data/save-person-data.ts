import type { PersonData } from '../../../contract/people/person-data-calls.ts'
import { safeFileName } from '../../lib/export/file-names.ts'
import { saveFile } from '../../lib/save-file.ts'

/** Saves an export as an indented JSON file. Returns the file name. */
export async function savePersonData(name: string, data: PersonData): Promise<string> {
  const file = `${safeFileName(`${name} ${new Date(data.ExportedAt).toISOString().slice(0, 10)}`)}.json`
  saveFile(file, `${JSON.stringify(await withPhotos(data), null, 2)}\n`, 'application/json')
  return file
}

/** Replaces photo URLs, which expire, by data URLs; counts unreadable photos as left out. */
async function withPhotos(data: PersonData): Promise<PersonData> {
  const { Employee = [], ...otherSections } = data.Sections
  let unreadable = 0
  const withPhoto = await Promise.all(
    Employee.map(async (row) => {
      if (typeof row['photo_url'] !== 'string') return row
      const photo = await readAsDataUrl(row['photo_url']).catch(() => null)
      if (photo === null) unreadable += 1
      return { ...row, photo_url: photo }
    }),
  )
  return {
    ...data,
    Sections: { ...otherSections, ...(withPhoto.length > 0 && { Employee: withPhoto }) },
    LeftOut: { ...data.LeftOut, ...(unreadable > 0 && { Photo: unreadable }) },
  }
}

/** errors  if the file cannot be read */
async function readAsDataUrl(address: string): Promise<string> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`status ${response.status}`)
  const type = response.headers.get('content-type') ?? 'application/octet-stream'
  const bytes = new Uint8Array(await response.arrayBuffer())
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `data:${type};base64,${btoa(binary)}`
}
