"""May this exact request leave, and is that claim true?"""
