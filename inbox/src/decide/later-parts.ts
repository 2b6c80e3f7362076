/** The large parts of deciding that most decisions do without. */
import { createLater } from './later.tsx'

export const editLater = createLater(async () => (await import('./edit/edit-form.tsx')).EditForm)
export const grantLater = createLater(async () => (await import('./grant/grant-form.tsx')).GrantForm)
