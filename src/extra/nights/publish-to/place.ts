/** Where nights are put for others: a folder or a remote of rclone, from which a static host serves them. */
export interface Place {
  /** As it may be printed. */
  name: string;
  /** The names of ours that lie there, with their sizes. */
  list(): Promise<Map<string, number>>;
  /** The texts of these documents; without those that are not there. */
  readDocuments(names: readonly string[]): Promise<Map<string, string>>;
  /** Puts a file there under a name, whole or not at all, in place of what has it. */
  put(file: string, name: string): Promise<void>;
  remove(name: string): Promise<void>;
}
