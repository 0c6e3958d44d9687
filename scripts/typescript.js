// Loaded before a program in TypeScript.
import "./node-version.cjs";
import "tsx";
